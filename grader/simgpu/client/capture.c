/* capture.c - recording a stream's work as a graph instead of doing it.
 *
 * A capture is a graph under construction. Each stream that takes part remembers the nodes its next
 * one depends on; an event recorded in it carries them to another stream, which joins by waiting.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

struct capture {
    struct CUgraph_st *graph;
    struct CUstream_st *origin;
    enum cudaStreamCaptureMode mode;
    unsigned long long id;
    struct CUstream_st *members[64]; /* streams that take part */
    int member_count;
};

static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;
static int open_global; /* captures under way that forbid unsafe calls to everybody */
static _Thread_local int open_here;
static unsigned long long last_id;

/* --- What the next node depends on ------------------------------------------------------------- */

static bool set_ends(struct CUgraphNode_st ***ends, size_t *count,
                     struct CUgraphNode_st *const *from, size_t from_count)
{
    struct CUgraphNode_st **copy = calloc(from_count + 1, sizeof *copy);
    if (!copy)
        return false;
    if (from_count)
        memcpy(copy, from, from_count * sizeof *copy);
    free(*ends);
    *ends = copy;
    *count = from_count;
    return true;
}

static bool add_ends(struct CUstream_st *stream, struct CUgraphNode_st *const *from, size_t count)
{
    struct CUgraphNode_st **grown =
        realloc(stream->ends, (stream->end_count + count + 1) * sizeof *grown);
    if (!grown)
        return false;
    stream->ends = grown;
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t j = 0; j < stream->end_count; j++)
            known |= stream->ends[j] == from[i];
        if (!known)
            stream->ends[stream->end_count++] = from[i];
    }
    return true;
}

static void leave(struct CUstream_st *stream)
{
    free(stream->ends);
    stream->ends = NULL;
    stream->end_count = 0;
    stream->capture = NULL;
}

/* --- Work ------------------------------------------------------------------------------------- */

static enum cudaGraphNodeType node_type(enum request_kind kind)
{
    switch (kind) {
    case REQUEST_LAUNCH:
    case REQUEST_MATMUL: return cudaGraphNodeTypeKernel;
    case REQUEST_COPY: return cudaGraphNodeTypeMemcpy;
    case REQUEST_SET: return cudaGraphNodeTypeMemset;
    case REQUEST_HOST_FUNCTION: return cudaGraphNodeTypeHost;
    default: return cudaGraphNodeTypeEmpty;
    }
}

cudaError_t submit(struct CUstream_st *stream, struct call *call)
{
    if (!stream->capture)
        return perform(call);
    if (call->request.kind == REQUEST_COPY && !call->request.copy.asynchronous)
        return cudaErrorStreamCaptureUnsupported; /* a copy that waits cannot be recorded */
    struct CUgraphNode_st *node = graph_add(stream->capture->graph, node_type(call->request.kind),
                                            stream->ends, stream->end_count);
    if (!node)
        return cudaErrorMemoryAllocation;
    cudaError_t error = graph_fill(node, call);
    if (error != cudaSuccess)
        return error;
    return set_ends(&stream->ends, &stream->end_count, &node, 1) ? cudaSuccess
                                                                 : cudaErrorMemoryAllocation;
}

cudaError_t capture_check_unsafe(void)
{
    bool forbidden = thread_mode == cudaStreamCaptureModeGlobal
                         ? __atomic_load_n(&open_global, __ATOMIC_RELAXED) || open_here
                         : thread_mode == cudaStreamCaptureModeThreadLocal && open_here;
    return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return cudaSuccess;
}

/* --- Events ----------------------------------------------------------------------------------- */

void capture_forget_event(struct CUevent_st *event)
{
    free(event->ends);
    event->ends = NULL;
    event->end_count = 0;
    event->capture = NULL;
}

cudaError_t capture_record_event(struct CUstream_st *stream, struct CUevent_st *event)
{
    if (!set_ends(&event->ends, &event->end_count, stream->ends, stream->end_count))
        return cudaErrorMemoryAllocation;
    event->capture = stream->capture;
    return cudaSuccess;
}

cudaError_t capture_wait_event(struct CUstream_st *stream, struct CUevent_st *event)
{
    struct capture *capture = event->capture;
    if (stream->capture && stream->capture != capture)
        return cudaErrorStreamCaptureMerge;
    if (stream->number == STREAM_LEGACY)
        return cudaErrorStreamCaptureImplicit;
    if (!stream->capture) {
        if (capture->member_count == (int)(sizeof capture->members / sizeof *capture->members))
            return cudaErrorNotSupported;
        capture->members[capture->member_count++] = stream;
        stream->capture = capture;
    }
    return add_ends(stream, event->ends, event->end_count) ? cudaSuccess
                                                           : cudaErrorMemoryAllocation;
}

/* --- Begin and end ---------------------------------------------------------------------------- */

static cudaError_t begin(struct CUstream_st *stream, enum cudaStreamCaptureMode mode)
{
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (stream->number == STREAM_LEGACY)
        return cudaErrorStreamCaptureUnsupported;
    if (stream->capture)
        return cudaErrorIllegalState;
    struct capture *capture = calloc(1, sizeof *capture);
    struct CUgraph_st *graph = graph_new();
    if (!capture || !graph) {
        free(capture);
        graph_free(graph);
        return cudaErrorMemoryAllocation;
    }
    *capture = (struct capture){.graph = graph, .origin = stream, .mode = mode, .id = ++last_id};
    capture->members[capture->member_count++] = stream;
    stream->capture = capture;
    __atomic_add_fetch(&open_global, mode == cudaStreamCaptureModeGlobal, __ATOMIC_RELAXED);
    open_here += mode == cudaStreamCaptureModeThreadLocal;
    return cudaSuccess;
}

/* Work of another stream that the origin never waited for would be lost. */
static bool is_joined(const struct capture *capture)
{
    for (size_t i = 0; i < capture->graph->count; i++) {
        const struct CUgraphNode_st *node = capture->graph->nodes[i];
        bool followed = false;
        for (size_t j = 0; j < capture->graph->count && !followed; j++)
            for (size_t k = 0; k < capture->graph->nodes[j]->before_count; k++)
                followed |= capture->graph->nodes[j]->before[k] == node;
        for (size_t j = 0; j < capture->origin->end_count; j++)
            followed |= capture->origin->ends[j] == node;
        if (!followed)
            return false;
    }
    return true;
}

static cudaError_t end(struct CUstream_st *stream, cudaGraph_t *graph)
{
    *graph = NULL;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    struct capture *capture = stream->capture;
    if (!capture)
        return cudaErrorIllegalState;
    if (capture->origin != stream)
        return cudaErrorStreamCaptureUnmatched;
    bool joined = is_joined(capture);
    __atomic_sub_fetch(&open_global, capture->mode == cudaStreamCaptureModeGlobal,
                       __ATOMIC_RELAXED);
    open_here -= capture->mode == cudaStreamCaptureModeThreadLocal;
    for (int i = 0; i < capture->member_count; i++)
        leave(capture->members[i]);
    if (joined)
        *graph = capture->graph;
    else
        graph_free(capture->graph);
    free(capture);
    return joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

BOTH(_ptsz, cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
     begin(stream_of(stream, default_stream), mode))
BOTH(_ptsz, cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph),
     end(stream_of(stream, default_stream), graph))

static cudaError_t is_capturing(struct CUstream_st *stream, enum cudaStreamCaptureStatus *status)
{
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    *status = stream->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

BOTH(_ptsz, cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status),
     is_capturing(stream_of(stream, default_stream), status))

static cudaError_t capture_info(struct CUstream_st *stream, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph,
                                const cudaGraphNode_t **nodes, size_t *count)
{
    cudaError_t error = is_capturing(stream, status);
    if (error != cudaSuccess || !stream->capture)
        return error;
    if (id)
        *id = stream->capture->id;
    if (graph)
        *graph = stream->capture->graph;
    if (nodes)
        *nodes = stream->ends;
    if (count)
        *count = stream->end_count;
    return cudaSuccess;
}

#if CUDART_VERSION >= 13000
BOTH(_ptsz, cudaStreamGetCaptureInfo,
     (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
      cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
      size_t *count),
     (edges ? (void)(*edges = NULL) : (void)0,
      capture_info(stream_of(stream, default_stream), status, id, graph, nodes, count)))
#else
BOTH(_ptsz, cudaStreamGetCaptureInfo_v2,
     (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
      cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count),
     capture_info(stream_of(stream, default_stream), status, id, graph, nodes, count))
#endif
