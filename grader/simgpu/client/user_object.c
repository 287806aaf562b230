/* user_object.c - things of the program that live as long as graphs use them: counted references,
 * and a function that is called when the last one is gone. */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>

struct CUuserObject_st {
    void *thing;
    cudaHostFn_t destroy;
    unsigned long references;
};

struct user_reference { /* of a graph */
    struct user_reference *next;
    struct CUuserObject_st *object;
    unsigned count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void retain(struct CUuserObject_st *object, unsigned count)
{
    pthread_mutex_lock(&lock);
    object->references += count;
    pthread_mutex_unlock(&lock);
}

/* False if there are fewer references. */
static bool release(struct CUuserObject_st *object, unsigned count)
{
    pthread_mutex_lock(&lock);
    bool held = count <= object->references;
    if (held)
        object->references -= count;
    bool last = held && object->references == 0;
    pthread_mutex_unlock(&lock);
    if (last) {
        handle_remove(object);
        object->destroy(object->thing);
        free(object);
    }
    return held;
}

/* --- By graphs -------------------------------------------------------------------------------- */

static bool refer(struct CUgraph_st *graph, struct CUuserObject_st *object, unsigned count)
{
    struct user_reference *reference = graph->references;
    while (reference && reference->object != object)
        reference = reference->next;
    if (reference) {
        reference->count += count;
        return true;
    }
    reference = malloc(sizeof *reference);
    if (!reference)
        return false;
    *reference = (struct user_reference){graph->references, object, count};
    graph->references = reference;
    return true;
}

bool user_object_copy_references(struct CUgraph_st *to, const struct CUgraph_st *from)
{
    for (struct user_reference *each = from->references; each; each = each->next) {
        if (!refer(to, each->object, each->count))
            return false;
        retain(each->object, each->count);
    }
    return true;
}

void user_object_drop_references(struct CUgraph_st *graph)
{
    while (graph->references) {
        struct user_reference *reference = graph->references;
        graph->references = reference->next;
        release(reference->object, reference->count);
        free(reference);
    }
}

/* --- The API ---------------------------------------------------------------------------------- */

static struct CUuserObject_st *object_of(cudaUserObject_t handle)
{
    return handle_is(handle, HANDLE_USER_OBJECT) ? handle : NULL;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *handle, void *thing, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags)
{
    if (!handle || !destroy || references == 0 || flags != cudaUserObjectNoDestructorSync)
        return api(cudaErrorInvalidValue);
    struct CUuserObject_st *object = calloc(1, sizeof *object);
    if (!object || !handle_add(object, HANDLE_USER_OBJECT)) {
        free(object);
        return api(cudaErrorMemoryAllocation);
    }
    *object = (struct CUuserObject_st){thing, destroy, references};
    *handle = object;
    return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count)
{
    struct CUuserObject_st *object = object_of(handle);
    if (!object || count == 0)
        return api(cudaErrorInvalidValue);
    retain(object, count);
    return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count)
{
    struct CUuserObject_st *object = object_of(handle);
    return api(object && count && release(object, count) ? cudaSuccess : cudaErrorInvalidValue);
}

/* With the flag to move, the caller's references become the graph's. */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                      unsigned count, unsigned flags)
{
    struct CUgraph_st *graph = graph_of(graph_handle);
    struct CUuserObject_st *object = object_of(handle);
    if (!graph || !object || count == 0 || flags & ~(unsigned)cudaGraphUserObjectMove)
        return api(cudaErrorInvalidValue);
    if (!refer(graph, object, count))
        return api(cudaErrorMemoryAllocation);
    if (!(flags & cudaGraphUserObjectMove))
        retain(object, count);
    return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                       unsigned count)
{
    struct CUgraph_st *graph = graph_of(graph_handle);
    struct CUuserObject_st *object = object_of(handle);
    if (!graph || !object || count == 0)
        return api(cudaErrorInvalidValue);
    struct user_reference **link = &graph->references;
    while (*link && (*link)->object != object)
        link = &(*link)->next;
    struct user_reference *reference = *link;
    if (!reference || reference->count < count)
        return api(cudaErrorInvalidValue);
    reference->count -= count;
    if (reference->count == 0) {
        *link = reference->next;
        free(reference);
    }
    return api(release(object, count) ? cudaSuccess : cudaErrorInvalidValue);
}
