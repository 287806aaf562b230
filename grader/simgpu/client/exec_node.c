/* exec_node.c - changing the nodes of an executable graph: what they do, and whether they do it.
 *
 * A node is named by the one it was made from. Less may change than in a graph: a copy stays
 * between the same kinds of memory, and a child graph keeps its shape.
 */
#include "client.h"

#include <stdlib.h>

static struct CUgraphNode_st *find(const struct CUgraph_st *graph, cudaGraphNode_t original)
{
    for (size_t i = 0; i < graph->count; i++) {
        struct CUgraphNode_st *node = graph->nodes[i], *inner = NULL;
        if (node->original == original)
            return node;
        if (node->content.type == cudaGraphNodeTypeGraph && !node->content.is_request)
            inner = find(node->content.child, original);
        if (node->content.type == cudaGraphNodeTypeConditional && !node->content.is_request)
            for (unsigned j = 0; !inner && j < node->content.conditional->size; j++)
                inner = find(node->content.conditional->bodies[j], original);
        if (inner)
            return inner;
    }
    return NULL;
}

/* The node of exec that was made from original, also in its child graphs; NULL if there is none. */
static struct CUgraphNode_st *node_from(cudaGraphExec_t handle, cudaGraphNode_t original)
{
    const struct CUgraphExec_st *exec = exec_of(handle);
    return exec && original ? find(exec->graph, original) : NULL;
}

/* --- What nodes do ---------------------------------------------------------------------------- */

bool copies_alike(const struct cudaMemcpy3DParms *old, const struct cudaMemcpy3DParms *new)
{
    struct box before, after;
    return box_of(old, &before) == cudaSuccess && box_of(new, &after) == cudaSuccess &&
           is_device_range(before.to) == is_device_range(after.to) &&
           is_device_range(before.from) == is_device_range(after.from);
}

/* Give a node of exec new content, of which it takes ownership. */
static cudaError_t change(cudaGraphExec_t exec, struct CUgraphNode_st *node,
                          struct content *content)
{
    bool fits = content->type == node->content.type && !node->content.is_request;
    if (fits && content->type == cudaGraphNodeTypeMemcpy)
        fits = copies_alike(&node->content.copy, &content->copy);
    if (!fits) {
        content_drop(content);
        return cudaErrorInvalidValue;
    }
    exec_forget(exec);
    node_replace(node, content);
    return cudaSuccess;
}

/* The body of a function with the parameters exec and original; fill makes content. */
#define CHANGE(fill)                                                             \
    do {                                                                         \
        struct content content;                                                  \
        struct CUgraphNode_st *node = node_from(exec, original);                 \
        cudaError_t error = node ? fill : cudaErrorInvalidValue;                 \
        return api(error == cudaSuccess ? change(exec, node, &content) : error); \
    } while (0)

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
                                             const struct cudaKernelNodeParams *parameters)
{
    CHANGE(content_kernel(&content, parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
                                             const struct cudaMemcpy3DParms *parameters)
{
    CHANGE(content_copy(&content, parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t original,
                                               void *to, const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    CHANGE(content_copy_flat(&content, to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t original,
                                                     const void *symbol, const void *from,
                                                     size_t bytes, size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    CHANGE(content_copy_symbol(&content, symbol, offset, (void *)from, bytes, true, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                       cudaGraphNode_t original, void *to,
                                                       const void *symbol, size_t bytes,
                                                       size_t offset, enum cudaMemcpyKind kind)
{
    CHANGE(content_copy_symbol(&content, symbol, offset, to, bytes, false, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
                                             const struct cudaMemsetParams *parameters)
{
    CHANGE(content_set(&content, parameters));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
                                           const struct cudaHostNodeParams *parameters)
{
    CHANGE(content_host(&content, parameters));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t original,
                                                 cudaEvent_t event)
{
    CHANGE(content_event(&content, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t original,
                                               cudaEvent_t event)
{
    CHANGE(content_event(&content, cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
                                       struct cudaGraphNodeParams *parameters)
{
    if (parameters && parameters->type == cudaGraphNodeTypeConditional)
        return api(cudaErrorInvalidValue); /* only what is in its bodies may change */
    CHANGE(content_generic(&content, parameters));
}

/* The child is brought up to date like a graph of its own. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t original,
                                                 cudaGraph_t child)
{
    cudaGraphExecUpdateResultInfo result;
    struct CUgraphNode_st *node = node_from(exec, original);
    const struct CUgraph_st *graph = graph_of(child);
    if (!node || !graph || node->content.type != cudaGraphNodeTypeGraph)
        return api(cudaErrorInvalidValue);
    cudaError_t error = exec_update_graph(&node->content.child, graph, &result);
    if (error == cudaSuccess)
        exec_forget(exec);
    return api(error);
}

/* --- Whether they do it ----------------------------------------------------------------------- */

static bool can_be_disabled(const struct content *content)
{
    return content->type == cudaGraphNodeTypeKernel || content->type == cudaGraphNodeTypeMemcpy ||
           content->type == cudaGraphNodeTypeMemset;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t original,
                                    unsigned enabled)
{
    struct CUgraphNode_st *node = node_from(exec, original);
    if (!node || !can_be_disabled(&node->content))
        return api(cudaErrorInvalidValue);
    node->disabled = !enabled;
    exec_forget(exec);
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t original,
                                    unsigned *enabled)
{
    const struct CUgraphNode_st *node = node_from(exec, original);
    if (!node || !enabled || !can_be_disabled(&node->content))
        return api(cudaErrorInvalidValue);
    *enabled = !node->disabled;
    return cudaSuccess;
}
