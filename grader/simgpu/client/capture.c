/* capture.c - recording a stream's work as a graph instead of doing it.
 *
 * A capture is a graph under construction. Each stream that takes part remembers the nodes its next
 * one depends on (its ends); an event recorded in it carries them to another stream, which joins
 * by waiting. A call that cannot be recorded spoils the capture: from then on it can only be ended,
 * which gives no graph (Programming Guide, "Creating a Graph Using Stream Capture").
 */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct capture {
    struct capture *next;
    struct CUgraph_st *graph;
    bool into_given;   /* graph was there before; it stays whatever happens */
    size_t first_node; /* nodes from here on were captured */
    struct CUstream_st *origin;
    pthread_t thread; /* that began it */
    enum cudaStreamCaptureMode mode;
    unsigned long long id;
    bool spoiled;
    struct CUstream_st **members; /* streams that take part */
    size_t member_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct capture *captures;
static unsigned long long last_id;
static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

/* --- What the next node depends on ------------------------------------------------------------ */

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

/* --- Streams that take part ------------------------------------------------------------------- */

static bool join(struct capture *capture, struct CUstream_st *stream)
{
    struct CUstream_st **grown =
        realloc(capture->members, (capture->member_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    capture->members = grown;
    capture->members[capture->member_count++] = stream;
    stream->capture = capture;
    return true;
}

static void leave(struct CUstream_st *stream)
{
    free(stream->ends);
    stream->ends = NULL;
    stream->end_count = 0;
    stream->capture = NULL;
}

/* The capture is over; its graph is the caller's. */
static void dissolve(struct capture *capture)
{
    for (size_t i = 0; i < capture->member_count; i++)
        leave(capture->members[i]);
    pthread_mutex_lock(&lock);
    struct capture **link = &captures;
    while (*link != capture)
        link = &(*link)->next;
    *link = capture->next;
    pthread_mutex_unlock(&lock);
    free(capture->members);
    free(capture);
}

void capture_forget_stream(struct CUstream_st *stream)
{
    struct capture *capture = stream->capture;
    if (!capture)
        return;
    if (capture->origin == stream) {
        if (!capture->into_given)
            graph_free(capture->graph);
        dissolve(capture);
        return;
    }
    /* If its work was not joined, that shows when the capture ends. */
    for (size_t i = 0; i < capture->member_count; i++)
        if (capture->members[i] == stream)
            capture->members[i] = capture->members[--capture->member_count];
    leave(stream);
}

static struct capture *capture_numbered(unsigned long long id)
{
    pthread_mutex_lock(&lock);
    struct capture *capture = id ? captures : NULL;
    while (capture && capture->id != id)
        capture = capture->next;
    pthread_mutex_unlock(&lock);
    return capture;
}

/* --- What a capture forbids ------------------------------------------------------------------- */

static bool forbids_unsafe(const struct capture *capture)
{
    bool here = pthread_equal(capture->thread, pthread_self());
    if (thread_mode == cudaStreamCaptureModeRelaxed)
        return false;
    if (here)
        return capture->mode != cudaStreamCaptureModeRelaxed;
    return thread_mode == cudaStreamCaptureModeGlobal &&
           capture->mode == cudaStreamCaptureModeGlobal;
}

/* Spoils the captures that forbid it; returns the error, if there is one. */
static cudaError_t check_all(bool (*forbids)(const struct capture *), cudaError_t what)
{
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&lock);
    for (struct capture *capture = captures; capture; capture = capture->next)
        if (forbids(capture)) {
            capture->spoiled = true;
            error = what;
        }
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t capture_check_unsafe(void)
{
    return check_all(forbids_unsafe, cudaErrorStreamCaptureUnsupported);
}

/* To wait for all streams is to wait for the one that is captured here, which no mode allows (seen
 * on an H200). */
static bool forbids_waiting(const struct capture *capture)
{
    return pthread_equal(capture->thread, pthread_self()) || forbids_unsafe(capture);
}

cudaError_t capture_check_wait_all(void)
{
    return check_all(forbids_waiting, cudaErrorStreamCaptureUnsupported);
}

void capture_spoil_all(void)
{
    pthread_mutex_lock(&lock);
    for (struct capture *capture = captures; capture; capture = capture->next)
        capture->spoiled = true;
    pthread_mutex_unlock(&lock);
}

static bool has_blocking_member(const struct capture *capture)
{
    for (size_t i = 0; i < capture->member_count; i++)
        if (!(capture->members[i]->flags & cudaStreamNonBlocking))
            return true;
    return false;
}

/* The legacy stream waits for every blocking stream, also for those being captured. */
static cudaError_t check_legacy(void)
{
    return check_all(has_blocking_member, cudaErrorStreamCaptureImplicit);
}

void capture_spoil(struct CUstream_st *stream)
{
    stream->capture->spoiled = true;
}

cudaError_t capture_check_wait(struct CUstream_st *stream)
{
    if (stream->capture) {
        bool before = stream->capture->spoiled;
        stream->capture->spoiled = true;
        return before ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnsupported;
    }
    return stream->number == STREAM_LEGACY ? check_legacy() : cudaSuccess;
}

cudaError_t capture_check_work(struct CUstream_st *stream)
{
    if (stream->capture && stream->capture->spoiled)
        return cudaErrorStreamCaptureInvalidated;
    return stream->number == STREAM_LEGACY ? check_legacy() : cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return api(cudaErrorInvalidValue);
    enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return cudaSuccess;
}

/* --- Work ------------------------------------------------------------------------------------- */

cudaError_t capture_content(struct CUstream_st *stream, struct content *content,
                            cudaGraphNode_t *node)
{
    struct CUgraphNode_st *made;
    cudaError_t error =
        graph_add(stream->capture->graph, stream->ends, stream->end_count, content, &made);
    if (error != cudaSuccess)
        return error;
    if (node)
        *node = made;
    return set_ends(&stream->ends, &stream->end_count, &made, 1) ? cudaSuccess
                                                                 : cudaErrorMemoryAllocation;
}

cudaError_t submit(struct CUstream_st *stream, struct call *call)
{
    struct content content;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess)
        return error;
    if (!stream->capture)
        return perform(call);
    error = content_request(&content, cudaGraphNodeTypeKernel, call);
    return error == cudaSuccess ? capture_content(stream, &content, NULL) : error;
}

/* --- Events ----------------------------------------------------------------------------------- */

bool capture_holds_event(const struct CUevent_st *event)
{
    return capture_numbered(event->capture) != NULL;
}

void capture_forget_event(struct CUevent_st *event)
{
    free(event->ends);
    event->ends = NULL;
    event->end_count = 0;
    event->capture = 0;
}

cudaError_t capture_record_event(struct CUstream_st *stream, struct CUevent_st *event)
{
    if (!set_ends(&event->ends, &event->end_count, stream->ends, stream->end_count))
        return cudaErrorMemoryAllocation;
    event->capture = stream->capture->id;
    return cudaSuccess;
}

static cudaError_t spoil(struct capture *capture, cudaError_t error)
{
    if (capture)
        capture->spoiled = true;
    return error;
}

cudaError_t capture_wait_event(struct CUstream_st *stream, struct CUevent_st *event)
{
    struct capture *capture = capture_numbered(event->capture);
    if (!capture)
        return spoil(stream->capture, cudaErrorStreamCaptureIsolation);
    if (capture->spoiled)
        return spoil(stream->capture, cudaErrorStreamCaptureInvalidated);
    if (stream->capture && stream->capture != capture) {
        capture->spoiled = true;
        return spoil(stream->capture, cudaErrorStreamCaptureMerge);
    }
    if (stream->number == STREAM_LEGACY)
        return spoil(capture, cudaErrorStreamCaptureImplicit);
    if (!stream->capture && !join(capture, stream))
        return cudaErrorMemoryAllocation;
    return add_ends(stream, event->ends, event->end_count) ? cudaSuccess
                                                           : cudaErrorMemoryAllocation;
}

/* --- Begin ------------------------------------------------------------------------------------ */

static struct capture *new_capture(struct CUstream_st *stream, struct CUgraph_st *graph,
                                   enum cudaStreamCaptureMode mode)
{
    struct capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return NULL;
    *capture = (struct capture){.graph = graph ? graph : graph_new(),
                                .into_given = graph != NULL,
                                .origin = stream,
                                .thread = pthread_self(),
                                .mode = mode};
    if (!capture->graph || !join(capture, stream)) {
        if (!graph)
            graph_free(capture->graph);
        free(capture);
        return NULL;
    }
    capture->first_node = capture->graph->count;
    pthread_mutex_lock(&lock);
    capture->id = ++last_id;
    capture->next = captures;
    captures = capture;
    pthread_mutex_unlock(&lock);
    return capture;
}

static cudaError_t begin(struct CUstream_st *stream, struct CUgraph_st *graph,
                         const cudaGraphNode_t *dependencies, size_t count,
                         enum cudaStreamCaptureMode mode)
{
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed || (count && !dependencies))
        return cudaErrorInvalidValue;
    if (stream->number == STREAM_LEGACY)
        return cudaErrorStreamCaptureUnsupported;
    if (stream->capture)
        return cudaErrorIllegalState;
    for (size_t i = 0; i < count; i++)
        if (!node_of(dependencies[i]) || dependencies[i]->graph != graph)
            return cudaErrorInvalidValue;
    if (!new_capture(stream, graph, mode) || !add_ends(stream, dependencies, count))
        return cudaErrorMemoryAllocation;
    return cudaSuccess;
}

static cudaError_t begin_into(struct CUstream_st *stream, cudaGraph_t graph,
                              const cudaGraphNode_t *dependencies, size_t count,
                              enum cudaStreamCaptureMode mode)
{
    return graph_of(graph) ? begin(stream, graph, dependencies, count, mode)
                           : cudaErrorInvalidValue;
}

BOTH(_ptsz, cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
     begin(stream_of(stream, default_stream), NULL, NULL, 0, mode))
BOTH(_ptsz, cudaStreamBeginCaptureToGraph,
     (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
      const cudaGraphEdgeData *edges, size_t count, enum cudaStreamCaptureMode mode),
     ((void)edges, begin_into(stream_of(stream, default_stream), graph, dependencies, count, mode)))

/* --- End -------------------------------------------------------------------------------------- */

/* Work of another stream that the origin never waited for would be lost: another node must depend
 * on each captured node, unless it is an end of the origin. */
static bool is_joined(const struct capture *capture)
{
    const struct CUgraph_st *graph = capture->graph;
    const struct CUstream_st *origin = capture->origin;
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->order = i < capture->first_node; /* 1: accounted for */
    for (size_t i = 0; i < graph->count; i++)
        for (size_t j = 0; j < graph->nodes[i]->before_count; j++)
            graph->nodes[i]->before[j]->order = 1;
    for (size_t i = 0; i < origin->end_count; i++)
        origin->ends[i]->order = 1;
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->nodes[i]->order)
            return false;
    return true;
}

static cudaError_t end(struct CUstream_st *stream, cudaGraph_t *graph)
{
    struct capture *capture = stream ? stream->capture : NULL;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (graph)
        *graph = NULL;
    if (!capture || (!graph && !capture->into_given))
        return graph ? cudaErrorIllegalState : cudaErrorInvalidValue;
    if (capture->mode != cudaStreamCaptureModeRelaxed &&
        !pthread_equal(capture->thread, pthread_self()))
        return cudaErrorStreamCaptureWrongThread;
    if (capture->origin != stream)
        return spoil(capture, cudaErrorStreamCaptureUnmatched);
    cudaError_t error = capture->spoiled      ? cudaErrorStreamCaptureInvalidated
                        : !is_joined(capture) ? cudaErrorStreamCaptureUnjoined
                                              : cudaSuccess;
    if (error == cudaSuccess && graph)
        *graph = capture->graph;
    else if (!capture->into_given) /* without graph, it is */
        graph_free(capture->graph);
    dissolve(capture);
    return error;
}

BOTH(_ptsz, cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph),
     end(stream_of(stream, default_stream), graph))

/* --- Asking ----------------------------------------------------------------------------------- */

static cudaError_t is_capturing(struct CUstream_st *stream, enum cudaStreamCaptureStatus *status)
{
    if (!stream || !status)
        return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    if (!stream->capture && stream->number == STREAM_LEGACY)
        return check_legacy();
    *status = !stream->capture           ? cudaStreamCaptureStatusNone
              : stream->capture->spoiled ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

BOTH(_ptsz, cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status),
     is_capturing(stream_of(stream, default_stream), status))

static cudaError_t capture_info(struct CUstream_st *stream, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph,
                                const cudaGraphNode_t **nodes, size_t *count)
{
    cudaError_t error = is_capturing(stream, status);
    if (error != cudaSuccess || *status != cudaStreamCaptureStatusActive)
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

static cudaError_t update(struct CUstream_st *stream, cudaGraphNode_t *nodes, size_t count,
                          unsigned flags)
{
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (!stream->capture)
        return cudaErrorIllegalState;
    if (flags > cudaStreamSetCaptureDependencies || (count && !nodes))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!node_of(nodes[i]) || nodes[i]->graph != stream->capture->graph)
            return cudaErrorInvalidValue;
    bool done = flags == cudaStreamSetCaptureDependencies
                    ? set_ends(&stream->ends, &stream->end_count, nodes, count)
                    : add_ends(stream, nodes, count);
    return done ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* Edges carry no data here, so there is none to return. */
#define NO_EDGE_DATA(edges) ((edges) ? (void)(*(edges) = NULL) : (void)0)

#if CUDART_VERSION >= 13000
BOTH(_ptsz, cudaStreamGetCaptureInfo,
     (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
      cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
      size_t *count),
     (NO_EDGE_DATA(edges),
      capture_info(stream_of(stream, default_stream), status, id, graph, nodes, count)))
BOTH(_ptsz, cudaStreamUpdateCaptureDependencies,
     (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges, size_t count,
      unsigned flags),
     ((void)edges, update(stream_of(stream, default_stream), nodes, count, flags)))
#else
BOTH(_ptsz, cudaStreamGetCaptureInfo_v2,
     (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
      cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count),
     capture_info(stream_of(stream, default_stream), status, id, graph, nodes, count))
BOTH(_ptsz, cudaStreamGetCaptureInfo_v3,
     (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
      cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
      size_t *count),
     (NO_EDGE_DATA(edges),
      capture_info(stream_of(stream, default_stream), status, id, graph, nodes, count)))
BOTH(_ptsz, cudaStreamUpdateCaptureDependencies,
     (cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned flags),
     update(stream_of(stream, default_stream), nodes, count, flags))
BOTH(_ptsz, cudaStreamUpdateCaptureDependencies_v2,
     (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges, size_t count,
      unsigned flags),
     ((void)edges, update(stream_of(stream, default_stream), nodes, count, flags)))
#endif
