/* graph_exec.c - executable graphs: made from a graph once, launched often, updated to another
 * graph of the same shape.
 *
 * An executable graph keeps a copy of the nodes, so that the graph it was made from may change or
 * be destroyed. When one of its nodes changes, the device's copy is out of date, and another one is
 * sent in its place before the next launch.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphExec_st *exec_of(cudaGraphExec_t handle)
{
    return handle_is(handle, HANDLE_EXEC) ? handle : NULL;
}

void exec_forget(struct CUgraphExec_st *exec)
{
    graph_wire_free_staging(exec);
    if (exec->number)
        exec->replaces = exec->number;
    exec->number = 0;
}

/* --- Making ----------------------------------------------------------------------------------- */

static void free_exec(struct CUgraphExec_st *exec)
{
    handle_remove(exec);
    graph_free(exec->graph);
    free(exec);
}

static cudaError_t make(struct CUgraphExec_st *exec, const struct CUgraph_st *graph,
                        unsigned long long flags)
{
    exec->flags = flags;
    exec->graph = graph_clone(graph);
    if (!exec->graph || !handle_add(exec, HANDLE_EXEC))
        return cudaErrorMemoryAllocation;
    graph_embed(exec->graph);
    return graph_wire_send(exec);
}

static cudaError_t instantiate(cudaGraphExec_t *handle, cudaGraph_t graph_handle,
                               unsigned long long flags)
{
    const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                     cudaGraphInstantiateFlagUpload |
                                     cudaGraphInstantiateFlagUseNodePriority;
    const struct CUgraph_st *graph = graph_of(graph_handle);
    if (!handle || !graph)
        return cudaErrorInvalidValue;
    *handle = NULL;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return missing("launching a graph from the device");
    if (flags & ~known)
        return cudaErrorInvalidValue;
    if (!conditions_are_used(graph))
        return cudaErrorInvalidValue;
    cudaError_t error = graph_check_bodies(graph);
    if (error != cudaSuccess)
        return error;
    struct CUgraphExec_st *exec = calloc(1, sizeof *exec);
    error = exec ? make(exec, graph, flags) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        *handle = exec;
    else if (exec)
        free_exec(exec);
    return error;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    return api(instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return api(instantiate(exec, graph, flags));
}

static cudaError_t instantiate_with(cudaGraphExec_t *exec, cudaGraph_t graph,
                                    cudaGraphInstantiateParams *parameters)
{
    if (!parameters)
        return cudaErrorInvalidValue;
    cudaError_t error = instantiate(exec, graph, parameters->flags);
    parameters->errNode_out = NULL;
    bool unused = graph_of(graph) && !conditions_are_used(graph);
    parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess
                             : unused             ? cudaGraphInstantiateConditionalHandleUnused
                             : error == cudaErrorInvalidValue ? cudaGraphInstantiateInvalidStructure
                                                              : cudaGraphInstantiateError;
    return error;
}

BOTH(_ptsz, cudaGraphInstantiateWithParams,
     (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *parameters),
     instantiate_with(exec, graph, parameters))

/* What a launch of it uses must exist until that is done. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    struct CUgraphExec_st *exec = exec_of(handle);
    struct call wait = new_call(REQUEST_SYNCHRONISE);
    if (!exec)
        return api(cudaErrorInvalidValue);
    if (exec->number && exec->graph->references)
        perform(&wait);
    exec_forget(exec);
    cudaError_t error = graph_wire_destroy(exec->replaces);
    free_exec(exec);
    return api(error);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
    const struct CUgraphExec_st *exec = exec_of(handle);
    if (!exec || !flags)
        return api(cudaErrorInvalidValue);
    *flags = exec->flags;
    return cudaSuccess;
}

/* --- Running ---------------------------------------------------------------------------------- */

static cudaError_t run(cudaGraphExec_t handle, struct CUstream_st *stream)
{
    struct CUgraphExec_st *exec = exec_of(handle);
    struct call call = new_call(REQUEST_GRAPH_LAUNCH);
    if (!exec || !stream)
        return exec ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess)
        return error;
    if (stream->capture) /* a graph goes into another one as a child node, by hand */
        return capture_check_wait(stream);
    if (!exec->number)
        error = graph_wire_send(exec);
    if (error == cudaSuccess)
        error = graph_memory_launch(exec);
    if (error != cudaSuccess)
        return error;
    call.request.graph.graph = exec->number;
    call.request.graph.stream = stream->number;
    return perform(&call);
}

static cudaError_t upload(cudaGraphExec_t handle, struct CUstream_st *stream)
{
    struct CUgraphExec_st *exec = exec_of(handle);
    if (!exec || !stream)
        return exec ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    return exec->number ? cudaSuccess : graph_wire_send(exec);
}

BOTH(_ptsz, cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream),
     run(exec, stream_of(stream, default_stream)))
BOTH(_ptsz, cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream),
     upload(exec, stream_of(stream, default_stream)))

/* --- Bringing up to date ------------------------------------------------------------------------
 * Nodes are paired in the order in which they were added. */

static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *old,
                                              const struct CUgraph_st *new,
                                              cudaGraphExecUpdateResultInfo *result);

static enum cudaGraphExecUpdateResult compare_bodies(const struct conditional *old,
                                                     const struct conditional *new,
                                                     cudaGraphExecUpdateResultInfo *result)
{
    enum cudaGraphExecUpdateResult found = cudaGraphExecUpdateSuccess;
    if (old->type != new->type || old->size != new->size)
        return cudaGraphExecUpdateErrorParametersChanged;
    for (unsigned i = 0; i < old->size && found == cudaGraphExecUpdateSuccess; i++)
        found = compare(old->bodies[i], new->bodies[i], result);
    return found;
}

static enum cudaGraphExecUpdateResult compare_contents(const struct content *old,
                                                       const struct content *new,
                                                       cudaGraphExecUpdateResultInfo *result)
{
    if (old->type != new->type || old->is_request != new->is_request)
        return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old->is_request)
        return cudaGraphExecUpdateSuccess;
    if (old->type == cudaGraphNodeTypeGraph)
        return compare(old->child, new->child, result);
    if (old->type == cudaGraphNodeTypeConditional)
        return compare_bodies(old->conditional, new->conditional, result);
    bool moved = old->type == cudaGraphNodeTypeMemFree && old->freed != new->freed;
    bool resized = old->type == cudaGraphNodeTypeMemAlloc &&
                   graph_memory_parameters(old->memory)->bytesize !=
                       graph_memory_parameters(new->memory)->bytesize;
    bool redirected = old->type == cudaGraphNodeTypeMemcpy && !copies_alike(&old->copy, &new->copy);
    return moved || resized || redirected ? cudaGraphExecUpdateErrorParametersChanged
                                          : cudaGraphExecUpdateSuccess;
}

static enum cudaGraphExecUpdateResult compare_edges(const struct CUgraphNode_st *old,
                                                    const struct CUgraphNode_st *new,
                                                    cudaGraphExecUpdateResultInfo *result)
{
    for (size_t i = 0; i < new->before_count; i++)
        if (i >= old->before_count || old->before[i]->order != new->before[i]->order) {
            result->errorFromNode = new->before[i];
            return cudaGraphExecUpdateErrorTopologyChanged;
        }
    return old->before_count == new->before_count ? cudaGraphExecUpdateSuccess
                                                  : cudaGraphExecUpdateErrorTopologyChanged;
}

static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *old,
                                              const struct CUgraph_st *new,
                                              cudaGraphExecUpdateResultInfo *result)
{
    enum cudaGraphExecUpdateResult found = cudaGraphExecUpdateSuccess;
    if (old->count != new->count)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < old->count; i++)
        old->nodes[i]->order = new->nodes[i]->order = (uint32_t)i;
    for (size_t i = 0; i < old->count && found == cudaGraphExecUpdateSuccess; i++) {
        found = compare_contents(&old->nodes[i]->content, &new->nodes[i]->content, result);
        if (found == cudaGraphExecUpdateSuccess)
            found = compare_edges(old->nodes[i], new->nodes[i], result);
        if (found != cudaGraphExecUpdateSuccess && !result->errorNode)
            result->errorNode = new->nodes[i];
    }
    return found;
}

/* Nodes keep the names by which the executable graph knows them. */
static void keep_originals(const struct CUgraph_st *old, const struct CUgraph_st *new)
{
    for (size_t i = 0; i < new->count; i++) {
        struct CUgraphNode_st *node = new->nodes[i];
        node->original = old->nodes[i]->original;
        if (node->content.type == cudaGraphNodeTypeGraph && !node->content.is_request)
            keep_originals(old->nodes[i]->content.child, node->content.child);
        if (node->content.type == cudaGraphNodeTypeConditional && !node->content.is_request)
            for (unsigned j = 0; j < node->content.conditional->size; j++)
                keep_originals(old->nodes[i]->content.conditional->bodies[j],
                               node->content.conditional->bodies[j]);
    }
}

cudaError_t exec_update_graph(struct CUgraph_st **old, const struct CUgraph_st *graph,
                              cudaGraphExecUpdateResultInfo *result)
{
    memset(result, 0, sizeof *result);
    result->result = compare(*old, graph, result);
    if (result->result != cudaGraphExecUpdateSuccess)
        return cudaErrorGraphExecUpdateFailure;
    struct CUgraph_st *clone = graph_clone(graph);
    if (!clone)
        return cudaErrorMemoryAllocation;
    keep_originals(*old, clone);
    graph_embed(clone);
    graph_free(*old);
    *old = clone;
    return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo *result)
{
    struct CUgraphExec_st *exec = exec_of(handle);
    const struct CUgraph_st *graph = graph_of(graph_handle);
    if (!exec || !graph || !result)
        return api(cudaErrorInvalidValue);
    cudaError_t error = exec_update_graph(&exec->graph, graph, result);
    if (error == cudaSuccess)
        exec_forget(exec);
    return api(error);
}
