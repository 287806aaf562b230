/* graph_memory.c - memory that graphs allocate.
 *
 * An allocation node has its address from the moment it is made, so the memory is made then, and
 * stays as long as a node holds it. The program may use it only from the launch of a graph that
 * allocates it until a graph or the program frees it (Programming Guide, "Graph Memory Nodes").
 */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct graph_memory {
    struct graph_memory *next;
    struct cudaMemAllocNodeParams parameters; /* with its address */
    struct cudaMemAccessDesc *access;
    unsigned nodes; /* that hold it */
    bool is_live;   /* allocated by a launch, and not freed since */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct graph_memory *memories;
static uint64_t used, used_high, reserved_high; /* bytes */

/* The lock is held for all of these. */
static struct graph_memory *find(uint64_t address)
{
    struct graph_memory *memory = memories;
    while (memory && (uint64_t)memory->parameters.dptr != address)
        memory = memory->next;
    return memory;
}

static uint64_t reserved(void)
{
    uint64_t bytes = 0;
    for (const struct graph_memory *memory = memories; memory; memory = memory->next)
        bytes += memory->parameters.bytesize;
    return bytes;
}

static void set_live(struct graph_memory *memory, bool live)
{
    if (live && !memory->is_live)
        used += memory->parameters.bytesize;
    if (!live && memory->is_live)
        used -= memory->parameters.bytesize;
    memory->is_live = live;
    if (used > used_high)
        used_high = used;
}

/* Drop it if neither a node nor the program has it. Returns its address, to be given back. */
static uint64_t unlink_unused(struct graph_memory *memory)
{
    if (memory->nodes || memory->is_live)
        return 0;
    struct graph_memory **link = &memories;
    while (*link != memory)
        link = &(*link)->next;
    *link = memory->next;
    uint64_t address = (uint64_t)memory->parameters.dptr;
    free(memory->access);
    free(memory);
    return address;
}

/* --- By nodes --------------------------------------------------------------------------------- */

struct graph_memory *graph_memory_new(const struct cudaMemAllocNodeParams *parameters,
                                      cudaError_t *error)
{
    struct graph_memory *memory = calloc(1, sizeof *memory);
    size_t count = parameters->accessDescCount;
    *error = cudaErrorMemoryAllocation;
    if (!memory)
        return NULL;
    memory->parameters = *parameters;
    memory->access = calloc(count + 1, sizeof *memory->access);
    if (memory->access)
        *error = memory_new(&memory->parameters.dptr, parameters->bytesize);
    if (*error != cudaSuccess) {
        free(memory->access);
        free(memory);
        return NULL;
    }
    if (count)
        memcpy(memory->access, parameters->accessDescs, count * sizeof *memory->access);
    memory->parameters.accessDescs = count ? memory->access : NULL;
    memory->nodes = 1;
    pthread_mutex_lock(&lock);
    memory->next = memories;
    memories = memory;
    if (reserved() > reserved_high)
        reserved_high = reserved();
    pthread_mutex_unlock(&lock);
    return memory;
}

void graph_memory_keep(struct graph_memory *memory)
{
    pthread_mutex_lock(&lock);
    memory->nodes++;
    pthread_mutex_unlock(&lock);
}

void graph_memory_drop(struct graph_memory *memory)
{
    pthread_mutex_lock(&lock);
    memory->nodes--;
    uint64_t address = unlink_unused(memory);
    pthread_mutex_unlock(&lock);
    if (address)
        memory_give_back(address);
}

const struct cudaMemAllocNodeParams *graph_memory_parameters(const struct graph_memory *memory)
{
    return &memory->parameters;
}

/* --- By the program --------------------------------------------------------------------------- */

bool graph_memory_is(uint64_t address)
{
    pthread_mutex_lock(&lock);
    bool found = find(address) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

cudaError_t graph_memory_release(uint64_t address)
{
    pthread_mutex_lock(&lock);
    struct graph_memory *memory = find(address);
    bool live = memory && memory->is_live;
    if (live)
        set_live(memory, false);
    uint64_t gone = live ? unlink_unused(memory) : 0;
    pthread_mutex_unlock(&lock);
    if (!live)
        return cudaErrorInvalidValue;
    return gone ? memory_give_back(gone) : cudaSuccess;
}

void graph_memory_forget_all(void)
{
    pthread_mutex_lock(&lock);
    for (struct graph_memory *memory = memories, *next; memory; memory = next) {
        next = memory->next;
        set_live(memory, false);
        unlink_unused(memory);
    }
    pthread_mutex_unlock(&lock);
}

/* --- By launches ------------------------------------------------------------------------------ */

static struct graph_memory *allocated_by(const struct content *content)
{
    bool allocates = !content->is_request && content->type == cudaGraphNodeTypeMemAlloc;
    return allocates ? content->memory : NULL;
}

static bool frees(const struct content *content)
{
    return !content->is_request && content->type == cudaGraphNodeTypeMemFree;
}

/* Is memory allocated by graph itself? */
static bool is_own(const struct CUgraph_st *graph, const struct graph_memory *memory)
{
    for (size_t i = 0; i < graph->count; i++)
        if (allocated_by(&graph->nodes[i]->content) == memory)
            return true;
    return false;
}

/* May it run now? What it allocates must not exist yet, what it frees must. */
static bool may_launch(const struct CUgraphExec_st *exec)
{
    const struct CUgraph_st *graph = exec->graph;
    bool frees_first = exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    for (size_t i = 0; i < graph->count; i++) {
        const struct content *content = &graph->nodes[i]->content;
        const struct graph_memory *memory = allocated_by(content);
        if (memory && memory->is_live && !frees_first)
            return false;
        const struct graph_memory *freed = frees(content) ? find((uint64_t)content->freed) : NULL;
        if (frees(content) && (!freed || (!freed->is_live && !is_own(graph, freed))))
            return false;
    }
    return true;
}

cudaError_t graph_memory_launch(const struct CUgraphExec_st *exec)
{
    const struct CUgraph_st *graph = exec->graph;
    pthread_mutex_lock(&lock);
    bool may = may_launch(exec);
    for (size_t i = 0; may && i < graph->count; i++)
        if (allocated_by(&graph->nodes[i]->content))
            set_live(graph->nodes[i]->content.memory, true);
    for (size_t i = 0; may && i < graph->count; i++)
        if (frees(&graph->nodes[i]->content))
            set_live(find((uint64_t)graph->nodes[i]->content.freed), false);
    pthread_mutex_unlock(&lock);
    return may ? cudaSuccess : cudaErrorInvalidValue;
}

/* --- Asking ----------------------------------------------------------------------------------- */

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    pthread_mutex_lock(&lock);
    const uint64_t values[] = {[cudaGraphMemAttrUsedMemCurrent] = used,
                               [cudaGraphMemAttrUsedMemHigh] = used_high,
                               [cudaGraphMemAttrReservedMemCurrent] = reserved(),
                               [cudaGraphMemAttrReservedMemHigh] = reserved_high};
    pthread_mutex_unlock(&lock);
    if (device != 0)
        return api(cudaErrorInvalidDevice);
    if (!value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh)
        return api(cudaErrorInvalidValue);
    *(uint64_t *)value = values[attribute];
    return cudaSuccess;
}

/* The high marks may be set to zero, which starts them anew. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    bool is_mark =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (device != 0)
        return api(cudaErrorInvalidDevice);
    if (!value || !is_mark || *(uint64_t *)value != 0)
        return api(cudaErrorInvalidValue);
    pthread_mutex_lock(&lock);
    if (attribute == cudaGraphMemAttrUsedMemHigh)
        used_high = used;
    else
        reserved_high = reserved();
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    return api(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
