/* graph_exec.c - graphs that run: sorted, flattened, sent to the device once, launched often.
 *
 * An executable graph keeps a copy of the nodes, so that the graph it was made from may change or
 * go. Changing a node of it marks it to be sent again before the next launch.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphExec_st {
    struct CUgraph_st *graph;    /* a clone */
    uint64_t number;             /* on the device; 0 when it must be sent */
    unsigned flags;
};

/* --- On the wire ------------------------------------------------------------------------------ */

struct writer {
    unsigned char *bytes;
    size_t used, room;
    uint32_t nodes;
    bool exhausted;
};

static void put(struct writer *writer, const void *bytes, size_t size)
{
    if (writer->used + size > writer->room) {
        size_t room = 2 * (writer->used + size) + 1024;
        unsigned char *grown = realloc(writer->bytes, room);
        if (!grown) {
            writer->exhausted = true;
            return;
        }
        writer->bytes = grown;
        writer->room = room;
    }
    if (size)
        memcpy(writer->bytes + writer->used, bytes, size);
    writer->used += size;
}

/* One device node; returns its number. */
static uint32_t put_node(struct writer *writer, const struct request *request, const void *payload,
                         uint64_t payload_bytes, const uint32_t *before, uint32_t before_count)
{
    static const uint32_t PAD;
    struct graph_node head = {.dependency_count = before_count, .payload_bytes = payload_bytes};
    put(writer, &head, sizeof head);
    put(writer, before, before_count * sizeof *before);
    put(writer, &PAD, (before_count & 1) * sizeof PAD);
    put(writer, request, sizeof *request);
    put(writer, payload, payload_bytes);
    return writer->nodes++;
}

static void put_graph(struct writer *writer, const struct CUgraph_st *graph,
                      const uint32_t *entry, uint32_t *exit);

/* All that node waits for: its dependencies' ends, or the entry when it has none. */
static uint32_t *waits_of(const struct CUgraphNode_st *node, const uint32_t *ends,
                          const uint32_t *entry, uint32_t *count)
{
    uint32_t *waits = calloc(node->before_count + 1, sizeof *waits);
    *count = 0;
    for (size_t i = 0; waits && i < node->before_count; i++)
        waits[(*count)++] = ends[node->before[i]->order];
    if (waits && node->before_count == 0 && entry)
        waits[(*count)++] = *entry;
    return waits;
}

static uint32_t put_staged(struct writer *writer, const struct CUgraphNode_st *node,
                           const uint32_t *waits, uint32_t count)
{
    struct request function;
    graph_staging_request(node, &function);
    bool first = graph_staging_is_first(node);
    uint32_t one = put_node(writer, first ? &function : &node->request, NULL, 0, waits, count);
    return put_node(writer, first ? &node->request : &function, NULL, 0, &one, 1);
}

static uint32_t put_one(struct writer *writer, const struct CUgraphNode_st *node,
                        const uint32_t *waits, uint32_t count)
{
    struct request empty = {.kind = REQUEST_NOTE};
    if (node->disabled)
        return put_node(writer, &empty, NULL, 0, waits, count);
    if (node->child) {
        uint32_t entry = put_node(writer, &empty, NULL, 0, waits, count), exit = entry;
        put_graph(writer, node->child, &entry, &exit);
        return exit;
    }
    if (node->staging)
        return put_staged(writer, node, waits, count);
    return put_node(writer, &node->request, node->payload, node->payload_bytes, waits, count);
}

/* Nodes in an order in which each comes behind what it depends on. False for a cycle. */
static bool sort(const struct CUgraph_st *graph, struct CUgraphNode_st **sorted)
{
    size_t count = 0;
    bool progress = true;
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->order = UINT32_MAX;
    while (progress && count < graph->count) {
        progress = false;
        for (size_t i = 0; i < graph->count; i++) {
            struct CUgraphNode_st *node = graph->nodes[i];
            bool ready = node->order == UINT32_MAX;
            for (size_t j = 0; ready && j < node->before_count; j++)
                ready = node->before[j]->order != UINT32_MAX;
            if (!ready)
                continue;
            node->order = (uint32_t)count;
            sorted[count++] = node;
            progress = true;
        }
    }
    return count == graph->count;
}

static void put_graph(struct writer *writer, const struct CUgraph_st *graph,
                      const uint32_t *entry, uint32_t *exit)
{
    struct request empty = {.kind = REQUEST_NOTE};
    struct CUgraphNode_st **sorted = calloc(graph->count + 1, sizeof(struct CUgraphNode_st *));
    uint32_t *ends = calloc(graph->count + 1, sizeof *ends);
    if (!sorted || !ends || !sort(graph, sorted))
        writer->exhausted = true;
    for (size_t i = 0; !writer->exhausted && i < graph->count; i++) {
        uint32_t count;
        uint32_t *waits = waits_of(sorted[i], ends, entry, &count);
        if (waits)
            ends[i] = put_one(writer, sorted[i], waits, count);
        else
            writer->exhausted = true;
        free(waits);
    }
    if (exit && !writer->exhausted && graph->count)
        *exit = put_node(writer, &empty, NULL, 0, ends, (uint32_t)graph->count);
    free(sorted);
    free(ends);
}

static cudaError_t forget(struct CUgraphExec_st *exec)
{
    struct call call = new_call(REQUEST_GRAPH_DESTROY);
    if (!exec->number)
        return cudaSuccess;
    call.request.graph.graph = exec->number;
    exec->number = 0;
    return perform(&call);
}

static cudaError_t send_graph(struct CUgraphExec_st *exec)
{
    struct writer writer = {0};
    struct call call = new_call(REQUEST_GRAPH_CREATE);
    put_graph(&writer, exec->graph, NULL, NULL);
    cudaError_t error = writer.exhausted ? cudaErrorInvalidValue : cudaSuccess;
    if (error == cudaSuccess) {
        call.request.graph.node_count = writer.nodes;
        call.payload = writer.bytes;
        call.payload_bytes = writer.used;
        error = perform(&call);
        exec->number = error == cudaSuccess ? call.reply.value[0] : 0;
    }
    free(writer.bytes);
    return error;
}

/* --- The API ---------------------------------------------------------------------------------- */

static cudaError_t instantiate(cudaGraphExec_t *handle, cudaGraph_t graph, unsigned flags)
{
    *handle = NULL;
    if (!graph)
        return cudaErrorInvalidValue;
    struct CUgraphExec_st *exec = calloc(1, sizeof *exec);
    if (!exec)
        return cudaErrorMemoryAllocation;
    exec->flags = flags;
    exec->graph = graph_clone(graph);
    cudaError_t error = exec->graph ? send_graph(exec) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
        *handle = exec;
        return cudaSuccess;
    }
    graph_free(exec->graph);
    free(exec);
    return error;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags)
{
    return api(instantiate(exec, graph, (unsigned)flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return api(instantiate(exec, graph, (unsigned)flags));
}

BOTH(_ptsz, cudaGraphInstantiateWithParams,
     (cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *parameters),
     instantiate(exec, graph, (unsigned)parameters->flags))

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    if (!exec)
        return api(cudaErrorInvalidValue);
    cudaError_t error = forget(exec);
    graph_free(exec->graph);
    free(exec);
    return api(error);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    *flags = exec->flags;
    return cudaSuccess;
}

static cudaError_t run(cudaGraphExec_t exec, struct CUstream_st *stream)
{
    struct call call = new_call(REQUEST_GRAPH_LAUNCH);
    if (!exec || !stream)
        return cudaErrorInvalidResourceHandle;
    if (stream->capture)
        return missing("launching a graph while capturing");
    cudaError_t error = exec->number ? cudaSuccess : send_graph(exec);
    if (error != cudaSuccess)
        return error;
    call.request.graph.graph = exec->number;
    call.request.graph.stream = stream->number;
    return perform(&call);
}

BOTH(_ptsz, cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream),
     run(exec, stream_of(stream, default_stream)))
BOTH(_ptsz, cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream),
     ((void)exec, stream_of(stream, default_stream) ? cudaSuccess
                                                     : cudaErrorInvalidResourceHandle))

/* The node of exec that was made from original; it may be changed, and exec is sent again. */
struct CUgraphNode_st *graph_exec_node(cudaGraphExec_t exec, cudaGraphNode_t original)
{
    for (size_t i = 0; exec && i < exec->graph->count; i++)
        if (exec->graph->nodes[i]->original == original) {
            forget(exec);
            return exec->graph->nodes[i];
        }
    return NULL;
}

/* The same nodes in the same order with the same dependencies: only what they do may differ. */
static bool same_topology(const struct CUgraph_st *a, const struct CUgraph_st *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        a->nodes[i]->order = b->nodes[i]->order = (uint32_t)i;
        if (a->nodes[i]->type != b->nodes[i]->type ||
            a->nodes[i]->before_count != b->nodes[i]->before_count)
            return false;
    }
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < a->nodes[i]->before_count; j++)
            if (a->nodes[i]->before[j]->order != b->nodes[i]->before[j]->order)
                return false;
    return true;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    bool same = exec && graph && same_topology(exec->graph, graph);
    memset(result, 0, sizeof *result);
    result->result =
        same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
    if (!same)
        return api(cudaErrorGraphExecUpdateFailure);
    struct CUgraph_st *clone = graph_clone(graph);
    if (!clone)
        return api(cudaErrorMemoryAllocation);
    for (size_t i = 0; i < clone->count; i++) /* nodes keep the names they were instantiated by */
        clone->nodes[i]->original = exec->graph->nodes[i]->original;
    graph_free(exec->graph);
    exec->graph = clone;
    return api(forget(exec));
}
