/* ipc.c - CUDA IPC: device memory and events of another program.
 *
 * Memory that is opened twice stays open until it is closed twice. */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct opened {
    struct opened *next;
    uint64_t address;
    unsigned times;
};

_Static_assert(sizeof(cudaIpcMemHandle_t) == IPC_HANDLE_BYTES, "handles have one size");
_Static_assert(sizeof(cudaIpcEventHandle_t) == IPC_HANDLE_BYTES, "handles have one size");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct opened *list;

/* The place of address in the list, or its end; the lock is held. */
static struct opened **find(uint64_t address)
{
    struct opened **link = &list;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    return link;
}

bool ipc_is_open(uint64_t address)
{
    pthread_mutex_lock(&lock);
    bool found = *find(address) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

void ipc_forget_all(void)
{
    pthread_mutex_lock(&lock);
    while (list) {
        struct opened *gone = list;
        list = gone->next;
        free(gone);
    }
    pthread_mutex_unlock(&lock);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    struct call call = new_call(REQUEST_IPC_GET);
    if (!handle)
        return api(cudaErrorInvalidValue);
    call.request.address.address = (uint64_t)pointer;
    cudaError_t error = perform(&call);
    memcpy(handle, call.reply.ipc.handle, sizeof *handle);
    return api(error);
}

static bool note(uint64_t address)
{
    pthread_mutex_lock(&lock);
    struct opened **place = find(address);
    if (!*place)
        *place = calloc(1, sizeof **place);
    bool noted = *place;
    if (noted) {
        (*place)->address = address;
        (*place)->times++;
    }
    pthread_mutex_unlock(&lock);
    return noted;
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    struct call call = new_call(REQUEST_IPC_OPEN);
    if (!pointer || flags != cudaIpcMemLazyEnablePeerAccess)
        return api(cudaErrorInvalidValue);
    *pointer = NULL;
    memcpy(call.request.ipc.handle, &handle, sizeof handle);
    cudaError_t error = perform(&call);
    if (error == cudaSuccess && !note(call.reply.range.address))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        *pointer = (void *)call.reply.range.address;
    return api(error);
}

cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
    bool last = false;
    pthread_mutex_lock(&lock);
    struct opened **place = find((uint64_t)pointer), *found = *place;
    if (found && --found->times == 0) {
        *place = found->next;
        free(found);
        last = true;
    }
    pthread_mutex_unlock(&lock);
    if (!found)
        return api(cudaErrorInvalidValue);
    return api(last ? memory_give_back((uint64_t)pointer) : cudaSuccess);
}

/* --- Events ----------------------------------------------------------------------------------- */

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event_handle)
{
    struct CUevent_st *event = event_of(event_handle);
    struct call call = new_call(REQUEST_IPC_EVENT_GET);
    if (!handle || !event)
        return api(handle ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    if (!(event->flags & cudaEventInterprocess)) {
        explain("an event is shared only if it was made with cudaEventInterprocess and "
                "cudaEventDisableTiming");
        return api(cudaErrorInvalidResourceHandle);
    }
    call.request.stream.event = event->number;
    cudaError_t error = perform(&call);
    memcpy(handle, call.reply.ipc.handle, sizeof *handle);
    return api(error);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    struct call call = new_call(REQUEST_IPC_EVENT_OPEN);
    if (!event)
        return api(cudaErrorInvalidValue);
    memcpy(call.request.ipc.handle, &handle, sizeof handle);
    return api(event_new(event, cudaEventDisableTiming | cudaEventInterprocess, &call));
}
