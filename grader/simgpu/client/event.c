/* event.c - events: marks in a stream that others wait for, and whose times can be compared. */
#include "client.h"

#include <stdlib.h>

/* --- Handles ---------------------------------------------------------------------------------- */

struct CUevent_st *event_of(cudaEvent_t handle)
{
    return handle_is(handle, HANDLE_EVENT) ? handle : NULL;
}

cudaError_t event_new(cudaEvent_t *handle, unsigned flags, struct call *call)
{
    struct CUevent_st *event = calloc(1, sizeof *event);
    cudaError_t error =
        event && handle_add(event, HANDLE_EVENT) ? perform(call) : cudaErrorMemoryAllocation;
    if (error != cudaSuccess) {
        handle_remove(event);
        free(event);
        return error;
    }
    *event = (struct CUevent_st){.number = call->reply.value[0], .flags = flags};
    *handle = event;
    return cudaSuccess;
}

static cudaError_t create(cudaEvent_t *handle, unsigned flags)
{
    struct call call = new_call(REQUEST_EVENT_CREATE);
    call.request.stream.flags = flags;
    return event_new(handle, flags, &call);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    bool timed_between_programs =
        (flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming);
    return api(!handle || flags & ~known || timed_between_programs ? cudaErrorInvalidValue
                                                                   : create(handle, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *handle)
{
    return cudaEventCreateWithFlags(handle, cudaEventDefault);
}

static void free_event(struct CUevent_st *event)
{
    capture_forget_event(event);
    handle_remove(event);
    free(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
    struct CUevent_st *event = event_of(handle);
    struct call call = new_call(REQUEST_EVENT_DESTROY);
    if (!event)
        return api(cudaErrorInvalidResourceHandle);
    call.request.stream.event = event->number;
    cudaError_t error = perform(&call);
    free_event(event);
    return api(error);
}

void event_forget_all(void)
{
    for (struct CUevent_st *event; (event = handle_any(HANDLE_EVENT)) != NULL;)
        free_event(event);
}

/* --- In streams ------------------------------------------------------------------------------- */

/* A node of its own in a graph that is being captured, instead of a mark that joins streams. */
static cudaError_t capture_as_node(struct CUstream_st *stream, enum cudaGraphNodeType type,
                                   struct CUevent_st *event)
{
    struct content content;
    cudaError_t error = content_event(&content, type, event);
    return error == cudaSuccess ? capture_content(stream, &content, NULL) : error;
}

static cudaError_t record(struct CUevent_st *event, struct CUstream_st *stream, unsigned flags)
{
    struct call call = new_call(REQUEST_EVENT_RECORD);
    if (!event || !stream)
        return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return cudaErrorInvalidValue;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess)
        return error;
    if (stream->capture)
        return flags ? capture_as_node(stream, cudaGraphNodeTypeEventRecord, event)
                     : capture_record_event(stream, event);
    capture_forget_event(event);
    call.request.stream.event = event->number;
    call.request.stream.stream = stream->number;
    return perform(&call);
}

static cudaError_t wait_for(struct CUstream_st *stream, struct CUevent_st *event, unsigned flags)
{
    struct call call = new_call(REQUEST_STREAM_WAIT);
    if (!event || !stream)
        return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventWaitExternal)
        return cudaErrorInvalidValue;
    if (stream->capture && flags)
        return capture_as_node(stream, cudaGraphNodeTypeWaitEvent, event);
    if (stream->capture || capture_holds_event(event))
        return capture_wait_event(stream, event);
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess)
        return error;
    call.request.stream.event = event->number;
    call.request.stream.stream = stream->number;
    return perform(&call);
}

BOTH(_ptsz, cudaEventRecord, (cudaEvent_t event, cudaStream_t stream),
     record(event_of(event), stream_of(stream, default_stream), cudaEventRecordDefault))
BOTH(_ptsz, cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
     record(event_of(event), stream_of(stream, default_stream), flags))
BOTH(_ptsz, cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
     wait_for(stream_of(stream, default_stream), event_of(event), flags))

/* --- By the host ------------------------------------------------------------------------------ */

static cudaError_t event_call(enum request_kind kind, struct CUevent_st *event)
{
    struct call call = new_call(kind);
    if (!event)
        return cudaErrorInvalidResourceHandle;
    if (capture_holds_event(event))
        return cudaErrorCapturedEvent;
    call.request.stream.event = event->number;
    cudaError_t error = kind == REQUEST_EVENT_QUERY ? ask_whether_done(&call) : perform(&call);
    if (error == cudaSuccess && kind == REQUEST_EVENT_SYNCHRONISE)
        pool_release();
    return error;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return api(event_call(REQUEST_EVENT_SYNCHRONISE, event_of(event)));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return api(event_call(REQUEST_EVENT_QUERY, event_of(event)));
}

/* Modelled time, as everything is on this device. */
static cudaError_t elapsed(float *milliseconds, const struct CUevent_st *from,
                           const struct CUevent_st *to)
{
    struct call call = new_call(REQUEST_EVENT_ELAPSED);
    if (!from || !to)
        return cudaErrorInvalidResourceHandle;
    if (!milliseconds)
        return cudaErrorInvalidValue;
    if ((from->flags | to->flags) & cudaEventDisableTiming)
        return cudaErrorInvalidResourceHandle;
    if (capture_holds_event(from) || capture_holds_event(to))
        return cudaErrorCapturedEvent;
    call.request.elapsed.from = from->number;
    call.request.elapsed.to = to->number;
    cudaError_t error = perform(&call);
    if (error == cudaSuccess)
        *milliseconds = call.reply.elapsed.milliseconds;
    return error;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    return api(elapsed(milliseconds, event_of(from), event_of(to)));
}
