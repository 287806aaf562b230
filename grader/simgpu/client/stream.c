/* stream.c - streams, and waiting for them. What a captured stream does instead is in capture.c. */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>

/* The legacy stream always exists, and cannot be captured. */
static struct CUstream_st legacy = {.number = STREAM_LEGACY};

/* Each thread has a default stream of its own, made when it is first used. The device has one
 * ready, for the first thread that asks. A reset takes them all away. */
static struct CUstream_st first_default = {.number = STREAM_PER_THREAD};
static bool first_is_taken;
static unsigned resets;
static _Thread_local struct CUstream_st *own_default;
static _Thread_local unsigned own_resets;

/* --- Handles ---------------------------------------------------------------------------------- */

static struct CUstream_st *new_stream(unsigned flags, int priority, cudaError_t *error)
{
    struct call call = new_call(REQUEST_STREAM_CREATE);
    struct CUstream_st *stream = calloc(1, sizeof *stream);
    call.request.stream.flags = flags;
    call.request.stream.priority = priority;
    *error =
        stream && handle_add(stream, HANDLE_STREAM) ? perform(&call) : cudaErrorMemoryAllocation;
    if (*error != cudaSuccess) {
        handle_remove(stream);
        free(stream);
        return NULL;
    }
    *stream =
        (struct CUstream_st){.number = call.reply.value[0], .flags = flags, .priority = priority};
    return stream;
}

static cudaError_t free_stream(struct CUstream_st *stream)
{
    struct call call = new_call(REQUEST_STREAM_DESTROY);
    call.request.stream.stream = stream->number;
    cudaError_t error = perform(&call);
    capture_forget_stream(stream);
    handle_remove(stream);
    free(stream);
    return error;
}

static struct CUstream_st *thread_default(void)
{
    cudaError_t error;
    if (own_default && own_resets == resets)
        return own_default;
    own_resets = resets;
    if (!__atomic_exchange_n(&first_is_taken, true, __ATOMIC_RELAXED))
        own_default = &first_default;
    else
        own_default = new_stream(cudaStreamDefault, 0, &error);
    return own_default;
}

void stream_thread_ends(void)
{
    if (own_default && own_default != &first_default && own_resets == resets)
        free_stream(own_default);
    own_default = NULL;
}

struct CUstream_st *stream_of(cudaStream_t handle, uint64_t default_number)
{
    if (handle == cudaStreamLegacy || (!handle && default_number == STREAM_LEGACY))
        return &legacy;
    if (!handle || handle == cudaStreamPerThread)
        return thread_default();
    return handle_is(handle, HANDLE_STREAM) ? handle : NULL;
}

void stream_forget_all(void)
{
    for (struct CUstream_st *stream; (stream = handle_any(HANDLE_STREAM)) != NULL;) {
        capture_forget_stream(stream);
        handle_remove(stream);
        free(stream);
    }
    capture_forget_stream(&first_default);
    first_is_taken = false;
    resets++;
}

/* --- Making and destroying -------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *handle, unsigned flags, int priority)
{
    cudaError_t error;
    if (!handle || flags & ~(unsigned)cudaStreamNonBlocking)
        return api(cudaErrorInvalidValue);
    *handle = new_stream(flags, priority > 0 ? 0 : priority < -5 ? -5 : priority, &error);
    return api(error);
}

cudaError_t cudaStreamCreate(cudaStream_t *handle)
{
    return cudaStreamCreateWithPriority(handle, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *handle, unsigned flags)
{
    return cudaStreamCreateWithPriority(handle, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    return api(handle_is(handle, HANDLE_STREAM) ? free_stream(handle)
                                                : cudaErrorInvalidResourceHandle);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

static cudaError_t stream_call(enum request_kind kind, struct CUstream_st *stream)
{
    struct call call = new_call(kind);
    cudaError_t error = stream ? capture_check_wait(stream) : cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return error;
    call.request.stream.stream = stream->number;
    error = kind == REQUEST_STREAM_QUERY ? ask_whether_done(&call) : perform(&call);
    if (error == cudaSuccess && kind == REQUEST_STREAM_SYNCHRONISE)
        pool_release();
    return error;
}

BOTH(_ptsz, cudaStreamSynchronize, (cudaStream_t stream),
     stream_call(REQUEST_STREAM_SYNCHRONISE, stream_of(stream, default_stream)))
BOTH(_ptsz, cudaStreamQuery, (cudaStream_t stream),
     stream_call(REQUEST_STREAM_QUERY, stream_of(stream, default_stream)))

cudaError_t cudaDeviceSynchronize(void)
{
    struct call call = new_call(REQUEST_SYNCHRONISE);
    cudaError_t error = capture_check_wait_all();
    if (error == cudaSuccess)
        error = perform(&call);
    if (error == cudaSuccess)
        pool_release();
    return api(error);
}

/* --- Asking ----------------------------------------------------------------------------------- */

static cudaError_t get_flags(struct CUstream_st *stream, unsigned *flags)
{
    if (!stream || !flags)
        return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *flags = stream->flags;
    return cudaSuccess;
}

static cudaError_t get_priority(struct CUstream_st *stream, int *priority)
{
    if (!stream || !priority)
        return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *priority = stream->priority;
    return cudaSuccess;
}

static cudaError_t get_id(struct CUstream_st *stream, unsigned long long *id)
{
    if (!stream || !id)
        return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *id = stream->number;
    return cudaSuccess;
}

BOTH(_ptsz, cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags),
     get_flags(stream_of(stream, default_stream), flags))
BOTH(_ptsz, cudaStreamGetPriority, (cudaStream_t stream, int *priority),
     get_priority(stream_of(stream, default_stream), priority))
BOTH(_ptsz, cudaStreamGetId, (cudaStream_t stream, unsigned long long *id),
     get_id(stream_of(stream, default_stream), id))

#if CUDART_VERSION >= 12080
static cudaError_t get_device(struct CUstream_st *stream, int *device)
{
    if (!stream || !device)
        return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *device = 0;
    return cudaSuccess;
}

BOTH(_ptsz, cudaStreamGetDevice, (cudaStream_t stream, int *device),
     get_device(stream_of(stream, default_stream), device))
#endif

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

/* --- Attributes, which are advice to a GPU ---------------------------------------------------- */

/* Where a stream keeps an attribute; NULL for one that it does not have. */
static cudaLaunchAttributeValue *attribute_of(struct CUstream_st *stream,
                                              cudaLaunchAttributeID attribute)
{
    switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow: return &stream->policy;
    case cudaLaunchAttributeSynchronizationPolicy: return &stream->synchronisation;
    default: return NULL;
    }
}

static cudaError_t set_attribute(struct CUstream_st *stream, cudaLaunchAttributeID attribute,
                                 const cudaLaunchAttributeValue *value)
{
    cudaLaunchAttributeValue *place = stream ? attribute_of(stream, attribute) : NULL;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (attribute == cudaLaunchAttributePriority && value) {
        stream->priority = value->priority;
        return cudaSuccess;
    }
    if (!place || !value)
        return cudaErrorInvalidValue;
    *place = *value;
    return cudaSuccess;
}

static cudaError_t get_attribute(struct CUstream_st *stream, cudaLaunchAttributeID attribute,
                                 cudaLaunchAttributeValue *value)
{
    cudaLaunchAttributeValue *place = stream ? attribute_of(stream, attribute) : NULL;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (attribute == cudaLaunchAttributePriority && value) {
        value->priority = stream->priority;
        return cudaSuccess;
    }
    if (!place || !value)
        return cudaErrorInvalidValue;
    *value = *place;
    return cudaSuccess;
}

static cudaError_t copy_attributes(struct CUstream_st *to, const struct CUstream_st *from)
{
    if (!to || !from)
        return cudaErrorInvalidResourceHandle;
    to->policy = from->policy;
    to->synchronisation = from->synchronisation;
    return cudaSuccess;
}

BOTH(_ptsz, cudaStreamSetAttribute,
     (cudaStream_t stream, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue *value),
     set_attribute(stream_of(stream, default_stream), attribute, value))
BOTH(_ptsz, cudaStreamGetAttribute,
     (cudaStream_t stream, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value),
     get_attribute(stream_of(stream, default_stream), attribute, value))
BOTH(_ptsz, cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from),
     copy_attributes(stream_of(to, default_stream), stream_of(from, default_stream)))

static cudaError_t attach_memory(struct CUstream_st *stream, void *pointer)
{
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    return memory_is_shared((uint64_t)pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

BOTH(_ptsz, cudaStreamAttachMemAsync,
     (cudaStream_t stream, void *pointer, size_t length, unsigned flags),
     ((void)length, (void)flags, attach_memory(stream_of(stream, default_stream), pointer)))

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}
