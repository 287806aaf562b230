/* stream.c - streams, events, and waiting for them. What a captured stream does instead is in
 * capture.c. */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>

static const uint32_t STREAM_MAGIC = 0x5354524D, EVENT_MAGIC = 0x45564E54;

/* The two streams that exist without being made. The legacy one cannot be captured. */
static struct CUstream_st legacy = {.magic = 0x5354524D, .number = STREAM_LEGACY};
static struct CUstream_st per_thread = {.magic = 0x5354524D, .number = STREAM_PER_THREAD};

struct CUstream_st *stream_of(cudaStream_t handle, uint64_t default_number)
{
    if (handle == NULL)
        return default_number == STREAM_LEGACY ? &legacy : &per_thread;
    if (handle == cudaStreamLegacy)
        return &legacy;
    if (handle == cudaStreamPerThread)
        return &per_thread;
    return handle->magic == STREAM_MAGIC ? handle : NULL;
}

static struct CUevent_st *event_of(cudaEvent_t handle)
{
    return handle && handle->magic == EVENT_MAGIC ? handle : NULL;
}

/* --- Streams ---------------------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *handle, unsigned flags, int priority)
{
    struct call call = new_call(REQUEST_STREAM_CREATE);
    struct CUstream_st *stream = calloc(1, sizeof *stream);
    if (!stream)
        return api(cudaErrorMemoryAllocation);
    call.request.stream.flags = flags;
    call.request.stream.priority = priority;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess) {
        free(stream);
        return api(error);
    }
    *stream = (struct CUstream_st){
        .magic = STREAM_MAGIC, .number = call.reply.value[0], .flags = flags, .priority = priority};
    *handle = stream;
    return cudaSuccess;
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
    struct CUstream_st *stream = handle ? stream_of(handle, STREAM_LEGACY) : NULL;
    struct call call = new_call(REQUEST_STREAM_DESTROY);
    if (!stream || stream == &legacy || stream == &per_thread)
        return api(cudaErrorInvalidResourceHandle);
    call.request.stream.stream = stream->number;
    cudaError_t error = perform(&call);
    stream->magic = 0;
    free(stream);
    return api(error);
}

static cudaError_t stream_call(enum request_kind kind, struct CUstream_st *stream)
{
    struct call call = new_call(kind);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture)
        return cudaErrorStreamCaptureUnsupported;
    call.request.stream.stream = stream->number;
    return perform(&call);
}

BOTH(_ptsz, cudaStreamSynchronize, (cudaStream_t stream),
     stream_call(REQUEST_STREAM_SYNCHRONISE, stream_of(stream, default_stream)))
BOTH(_ptsz, cudaStreamQuery, (cudaStream_t stream),
     stream_call(REQUEST_STREAM_QUERY, stream_of(stream, default_stream)))

cudaError_t cudaDeviceSynchronize(void)
{
    struct call call = new_call(REQUEST_SYNCHRONISE);
    cudaError_t error = capture_check_unsafe();
    return api(error != cudaSuccess ? error : perform(&call));
}

static cudaError_t stream_flags(struct CUstream_st *stream, unsigned *flags)
{
    if (stream)
        *flags = stream->flags;
    return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t stream_priority(struct CUstream_st *stream, int *priority)
{
    if (stream)
        *priority = stream->priority;
    return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t stream_id(struct CUstream_st *stream, unsigned long long *id)
{
    if (stream)
        *id = stream->number;
    return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t stream_device(struct CUstream_st *stream, int *device)
{
    *device = 0;
    return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

BOTH(_ptsz, cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags),
     stream_flags(stream_of(stream, default_stream), flags))
BOTH(_ptsz, cudaStreamGetPriority, (cudaStream_t stream, int *priority),
     stream_priority(stream_of(stream, default_stream), priority))
BOTH(_ptsz, cudaStreamGetId, (cudaStream_t stream, unsigned long long *id),
     stream_id(stream_of(stream, default_stream), id))
#if CUDART_VERSION >= 12080
BOTH(_ptsz, cudaStreamGetDevice, (cudaStream_t stream, int *device),
     stream_device(stream_of(stream, default_stream), device))
#endif

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

/* Windows of persisting L2 and the like advise a real device. */
BOTH(_ptsz, cudaStreamSetAttribute,
     (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value),
     ((void)attribute, (void)value,
      stream_of(stream, default_stream) ? cudaSuccess : cudaErrorInvalidResourceHandle))
BOTH(_ptsz, cudaStreamAttachMemAsync,
     (cudaStream_t stream, void *pointer, size_t length, unsigned flags),
     ((void)pointer, (void)length, (void)flags,
      stream_of(stream, default_stream) ? cudaSuccess : cudaErrorInvalidResourceHandle))

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}

/* --- Events ----------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags)
{
    struct call call = new_call(REQUEST_EVENT_CREATE);
    struct CUevent_st *event = calloc(1, sizeof *event);
    if (!event)
        return api(cudaErrorMemoryAllocation);
    cudaError_t error = perform(&call);
    if (error != cudaSuccess) {
        free(event);
        return api(error);
    }
    *event = (struct CUevent_st){
        .magic = EVENT_MAGIC, .number = call.reply.value[0], .flags = flags};
    *handle = event;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *handle)
{
    return cudaEventCreateWithFlags(handle, cudaEventDefault);
}

static cudaError_t event_call(enum request_kind kind, struct CUevent_st *event)
{
    struct call call = new_call(kind);
    if (!event)
        return cudaErrorInvalidResourceHandle;
    if (event->capture)
        return cudaErrorCapturedEvent;
    call.request.stream.event = event->number;
    return perform(&call);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
    struct CUevent_st *event = event_of(handle);
    struct call call = new_call(REQUEST_EVENT_DESTROY);
    if (!event)
        return api(cudaErrorInvalidResourceHandle);
    call.request.stream.event = event->number;
    cudaError_t error = perform(&call);
    capture_forget_event(event);
    event->magic = 0;
    free(event);
    return api(error);
}

static cudaError_t record(struct CUevent_st *event, struct CUstream_st *stream)
{
    struct call call = new_call(REQUEST_EVENT_RECORD);
    if (!event || !stream)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture)
        return capture_record_event(stream, event);
    capture_forget_event(event);
    call.request.stream.event = event->number;
    call.request.stream.stream = stream->number;
    return perform(&call);
}

static cudaError_t wait_for(struct CUstream_st *stream, struct CUevent_st *event)
{
    struct call call = new_call(REQUEST_STREAM_WAIT);
    if (!event || !stream)
        return cudaErrorInvalidResourceHandle;
    if (event->capture)
        return capture_wait_event(stream, event);
    if (stream->capture)
        return cudaErrorStreamCaptureIsolation;
    call.request.stream.event = event->number;
    call.request.stream.stream = stream->number;
    return perform(&call);
}

BOTH(_ptsz, cudaEventRecord, (cudaEvent_t event, cudaStream_t stream),
     record(event_of(event), stream_of(stream, default_stream)))
BOTH(_ptsz, cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
     ((void)flags, record(event_of(event), stream_of(stream, default_stream))))
BOTH(_ptsz, cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
     ((void)flags, wait_for(stream_of(stream, default_stream), event_of(event))))

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return api(event_call(REQUEST_EVENT_SYNCHRONISE, event_of(event)));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return api(event_call(REQUEST_EVENT_QUERY, event_of(event)));
}

/* Modelled time, as everything is on this device. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    struct call call = new_call(REQUEST_EVENT_ELAPSED);
    struct CUevent_st *first = event_of(from), *last = event_of(to);
    if (!first || !last)
        return api(cudaErrorInvalidResourceHandle);
    if ((first->flags | last->flags) & cudaEventDisableTiming)
        return api(cudaErrorInvalidResourceHandle);
    call.request.elapsed.from = first->number;
    call.request.elapsed.to = last->number;
    cudaError_t error = perform(&call);
    if (error == cudaSuccess)
        *milliseconds = call.reply.elapsed.milliseconds;
    return api(error);
}
