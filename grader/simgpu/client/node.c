/* node.c - the nodes of a graph one by one: adding them by hand, querying and changing what they
 * do. For the nodes of an executable graph see exec_node.c.
 */
#include "client.h"

#include <string.h>

/* --- Adding ----------------------------------------------------------------------------------- */

static cudaError_t check_place(const cudaGraphNode_t *made, cudaGraph_t handle,
                               const cudaGraphNode_t *before, size_t count)
{
    const struct CUgraph_st *graph = graph_of(handle);
    if (!made || !graph || (count && !before))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        if (!node_of(before[i]) || before[i]->graph != graph)
            return cudaErrorInvalidValue;
        for (size_t j = 0; j < i; j++)
            if (before[i] == before[j])
                return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* The body of a function with the parameters made, graph, before and count; fill makes content. */
#define ADD(fill)                                                    \
    do {                                                             \
        struct content content;                                      \
        cudaError_t error = check_place(made, graph, before, count); \
        if (error == cudaSuccess)                                    \
            error = fill;                                            \
        if (error == cudaSuccess)                                    \
            error = graph_add(graph, before, count, &content, made); \
        return api(error);                                           \
    } while (0)

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const struct cudaKernelNodeParams *parameters)
{
    ADD(content_kernel(&content, parameters));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const struct cudaMemcpy3DParms *parameters)
{
    ADD(content_copy(&content, parameters));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *made, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    ADD(content_copy_flat(&content, to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *made, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           const void *symbol, const void *from, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind)
{
    ADD(content_copy_symbol(&content, symbol, offset, (void *)from, bytes, true, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *made, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count, void *to,
                                             const void *symbol, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    ADD(content_copy_symbol(&content, symbol, offset, to, bytes, false, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const struct cudaMemsetParams *parameters)
{
    ADD(content_set(&content, parameters));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                 const cudaGraphNode_t *before, size_t count,
                                 const struct cudaHostNodeParams *parameters)
{
    ADD(content_host(&content, parameters));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                       const cudaGraphNode_t *before, size_t count,
                                       cudaGraph_t child)
{
    ADD(content_child(&content, child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                  const cudaGraphNode_t *before, size_t count)
{
    ADD((content = (struct content){.type = cudaGraphNodeTypeEmpty}, cudaSuccess));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                        const cudaGraphNode_t *before, size_t count,
                                        cudaEvent_t event)
{
    ADD(content_event(&content, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                      const cudaGraphNode_t *before, size_t count,
                                      cudaEvent_t event)
{
    ADD(content_event(&content, cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t count,
                                     struct cudaMemAllocNodeParams *parameters)
{
    ADD(content_alloc(&content, parameters));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                    const cudaGraphNode_t *before, size_t count, void *pointer)
{
    ADD(content_free_memory(&content, pointer));
}

static cudaError_t add_generic(cudaGraphNode_t *made, cudaGraph_t graph,
                               const cudaGraphNode_t *before, size_t count,
                               struct cudaGraphNodeParams *parameters)
{
    ADD(content_generic(&content, parameters));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t *made, cudaGraph_t graph,
                             const cudaGraphNode_t *before, const cudaGraphEdgeData *edges,
                             size_t count, struct cudaGraphNodeParams *parameters)
{
    return edges_are_plain(edges, count) ? add_generic(made, graph, before, count, parameters)
                                         : missing("an edge with data in a graph");
}
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t *made, cudaGraph_t graph,
                             const cudaGraphNode_t *before, size_t count,
                             struct cudaGraphNodeParams *parameters)
{
    return add_generic(made, graph, before, count, parameters);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *made, cudaGraph_t graph,
                                const cudaGraphNode_t *before, const cudaGraphEdgeData *edges,
                                size_t count, struct cudaGraphNodeParams *parameters)
{
    return edges_are_plain(edges, count) ? add_generic(made, graph, before, count, parameters)
                                         : missing("an edge with data in a graph");
}
#endif

/* --- Asking ----------------------------------------------------------------------------------- */

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
    const struct CUgraphNode_st *node = node_of(handle);
    if (!node || !type)
        return api(cudaErrorInvalidValue);
    *type = node->content.type;
    return cudaSuccess;
}

/* What a node of type does; NULL for any other node, and for one of our own libraries, whose
 * parameters a program cannot read. */
static const struct content *content_of(cudaGraphNode_t handle, enum cudaGraphNodeType type)
{
    const struct CUgraphNode_st *node = node_of(handle);
    bool fits = node && node->content.type == type && !node->content.is_request;
    return fits ? &node->content : NULL;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *parameters)
{
    const struct content *content = content_of(node, cudaGraphNodeTypeKernel);
    if (!content || !parameters)
        return api(cudaErrorInvalidValue);
    const struct launch *launch = &content->launch;
    *parameters = (struct cudaKernelNodeParams){
        .func = (void *)(launch->kernel->stub ? launch->kernel->stub : launch->kernel),
        .gridDim = launch->grid,
        .blockDim = launch->block,
        .sharedMemBytes = launch->shared_bytes,
        .kernelParams = launch->pointers};
    return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *parameters)
{
    const struct content *content = content_of(node, cudaGraphNodeTypeMemcpy);
    if (!content || !parameters)
        return api(cudaErrorInvalidValue);
    *parameters = content->copy;
    return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *parameters)
{
    const struct content *content = content_of(node, cudaGraphNodeTypeMemset);
    if (!content || !parameters)
        return api(cudaErrorInvalidValue);
    *parameters = content->set;
    return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *parameters)
{
    const struct content *content = content_of(node, cudaGraphNodeTypeHost);
    if (!content || !parameters)
        return api(cudaErrorInvalidValue);
    *parameters = content->host;
    return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child)
{
    const struct content *content = content_of(node, cudaGraphNodeTypeGraph);
    if (!content || !child)
        return api(cudaErrorInvalidValue);
    *child = content->child;
    return cudaSuccess;
}

static cudaError_t get_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t *event)
{
    const struct content *content = content_of(node, type);
    if (!content || !event)
        return cudaErrorInvalidValue;
    *event = content->event;
    return cudaSuccess;
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return api(get_event(node, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return api(get_event(node, cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *parameters)
{
    const struct content *content = content_of(node, cudaGraphNodeTypeMemAlloc);
    if (!content || !parameters)
        return api(cudaErrorInvalidValue);
    *parameters = *graph_memory_parameters(content->memory);
    return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer)
{
    const struct content *content = content_of(node, cudaGraphNodeTypeMemFree);
    if (!content || !pointer)
        return api(cudaErrorInvalidValue);
    *(void **)pointer = content->freed;
    return cudaSuccess;
}

/* --- Changing --------------------------------------------------------------------------------- */

static void keep_attributes(struct launch *to, const struct launch *from)
{
    to->cooperative = from->cooperative;
    to->cluster = from->cluster;
    to->may_begin_early = from->may_begin_early;
    to->policy = from->policy;
}

cudaError_t node_replace(struct CUgraphNode_st *node, struct content *content)
{
    if (content->type == cudaGraphNodeTypeGraph)
        graph_embed(content->child);
    if (content->type == cudaGraphNodeTypeKernel && !node->content.is_request)
        keep_attributes(&content->launch, &node->content.launch);
    content_drop(&node->content);
    node->content = *content;
    return cudaSuccess;
}

/* The body of a function with the parameter node; fill makes content. */
#define SET(node_type, fill)                                                            \
    do {                                                                                \
        struct content content;                                                         \
        cudaError_t error = content_of(node, node_type) ? fill : cudaErrorInvalidValue; \
        return api(error == cudaSuccess ? node_replace(node, &content) : error);        \
    } while (0)

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *parameters)
{
    SET(cudaGraphNodeTypeKernel, content_kernel(&content, parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *parameters)
{
    SET(cudaGraphNodeTypeMemcpy, content_copy(&content, parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                           size_t bytes, enum cudaMemcpyKind kind)
{
    SET(cudaGraphNodeTypeMemcpy, content_copy_flat(&content, to, from, bytes, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *from, size_t bytes, size_t offset,
                                                 enum cudaMemcpyKind kind)
{
    SET(cudaGraphNodeTypeMemcpy,
        content_copy_symbol(&content, symbol, offset, (void *)from, bytes, true, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to,
                                                   const void *symbol, size_t bytes, size_t offset,
                                                   enum cudaMemcpyKind kind)
{
    SET(cudaGraphNodeTypeMemcpy,
        content_copy_symbol(&content, symbol, offset, to, bytes, false, kind));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *parameters)
{
    SET(cudaGraphNodeTypeMemset, content_set(&content, parameters));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *parameters)
{
    SET(cudaGraphNodeTypeHost, content_host(&content, parameters));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    SET(cudaGraphNodeTypeEventRecord, content_event(&content, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    SET(cudaGraphNodeTypeWaitEvent, content_event(&content, cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *parameters)
{
    if (parameters && parameters->type == cudaGraphNodeTypeConditional)
        return api(cudaErrorInvalidValue); /* only what is in its bodies may change */
    SET(parameters ? parameters->type : cudaGraphNodeTypeEmpty,
        content_generic(&content, parameters));
}

/* --- Attributes of kernel nodes --------------------------------------------------------------- */

static cudaError_t set_attribute(struct CUgraphNode_st *node, cudaLaunchAttributeID attribute,
                                 const cudaLaunchAttributeValue *value)
{
    switch (attribute) {
    case cudaLaunchAttributeCooperative:
        node->content.launch.cooperative = value->cooperative != 0;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        node->content.launch.cluster.x = value->clusterDim.x;
        node->content.launch.cluster.y = value->clusterDim.y;
        node->content.launch.cluster.z = value->clusterDim.z;
        return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        node->content.launch.policy = (int)value->clusterSchedulingPolicyPreference;
        return cudaSuccess;
    case cudaLaunchAttributePriority: node->priority = value->priority; return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
        node->window = value->accessPolicyWindow;
        return cudaSuccess;
    default: return cudaErrorInvalidValue;
    }
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue *value)
{
    bool fits = content_of(node, cudaGraphNodeTypeKernel) && value;
    return api(fits ? set_attribute(node, attribute, value) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue *value)
{
    if (!content_of(node, cudaGraphNodeTypeKernel) || !value)
        return api(cudaErrorInvalidValue);
    memset(value, 0, sizeof *value);
    switch (attribute) {
    case cudaLaunchAttributeCooperative:
        value->cooperative = node->content.launch.cooperative;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        value->clusterDim.x = node->content.launch.cluster.x;
        value->clusterDim.y = node->content.launch.cluster.y;
        value->clusterDim.z = node->content.launch.cluster.z;
        return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        value->clusterSchedulingPolicyPreference = node->content.launch.policy;
        return cudaSuccess;
    case cudaLaunchAttributePriority: value->priority = node->priority; return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
        value->accessPolicyWindow = node->window;
        return cudaSuccess;
    default: return api(cudaErrorInvalidValue);
    }
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    if (!content_of(to, cudaGraphNodeTypeKernel) || !content_of(from, cudaGraphNodeTypeKernel))
        return api(cudaErrorInvalidValue);
    keep_attributes(&to->content.launch, &from->content.launch);
    to->priority = from->priority;
    to->window = from->window;
    return cudaSuccess;
}
