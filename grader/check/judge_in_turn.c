/* judge_in_turn.c - two calls as one graph, in which their launches take turns.
 *
 * Each call is captured by itself. Copies of both graphs' nodes then form one chain: the first of
 * one, the first of the other, the second of one, and so on. Streams would leave the order to
 * chance; here each launch of the second call comes just before what might read what it broke.
 */
#include "check/judge_graph.h"

#include <stdlib.h>

/* --- The nodes of a captured call, in the order in which they run ----------------------------- */

struct chain {
    cudaGraph_t graph;
    cudaGraphNode_t *nodes;
    size_t count;
};

static cudaError_t nodes_before(cudaGraphNode_t node, cudaGraphNode_t *before, size_t *count)
{
#if CUDART_VERSION >= 13000
    return cudaGraphNodeGetDependencies(node, before, NULL, count);
#else
    return cudaGraphNodeGetDependencies(node, before, count);
#endif
}

static bool is_among(const cudaGraphNode_t *nodes, size_t count, cudaGraphNode_t node)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] == node)
            return true;
    return false;
}

/* Is all that a node waits for among the first nodes? Work of one stream waits for one node. */
static bool is_next(const struct chain *chain, size_t sorted, cudaGraphNode_t node)
{
    enum { MOST_BEFORE = 8 };
    cudaGraphNode_t before[MOST_BEFORE];
    size_t count = MOST_BEFORE;
    if (nodes_before(node, before, &count) != cudaSuccess)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_among(chain->nodes, sorted, before[i]))
            return false;
    return true;
}

static cudaError_t put_in_order(struct chain *chain)
{
    for (size_t sorted = 0; sorted < chain->count; sorted++) {
        size_t i = sorted;
        while (i < chain->count && !is_next(chain, sorted, chain->nodes[i]))
            i++;
        if (i == chain->count)
            return cudaErrorNotSupported; /* edges that carry data cannot be asked for so */
        cudaGraphNode_t next = chain->nodes[i];
        chain->nodes[i] = chain->nodes[sorted];
        chain->nodes[sorted] = next;
    }
    return cudaSuccess;
}

static cudaError_t capture(const struct judge_call *call, judge_calls *body, struct chain *chain)
{
    cudaError_t error = judge_capture(call, body, &chain->graph);
    if (error == cudaSuccess)
        error = cudaGraphGetNodes(chain->graph, NULL, &chain->count);
    if (error != cudaSuccess)
        return error;
    chain->nodes = calloc(chain->count + 1, sizeof *chain->nodes);
    if (!chain->nodes)
        return cudaErrorMemoryAllocation;
    error = cudaGraphGetNodes(chain->graph, chain->nodes, &chain->count);
    return error == cudaSuccess ? put_in_order(chain) : error;
}

/* --- One chain of both ------------------------------------------------------------------------ */

static cudaError_t add_kernel(cudaGraph_t graph, cudaGraphNode_t node, cudaGraphNode_t *last)
{
    struct cudaKernelNodeParams parameters;
    cudaGraphNode_t after = *last;
    cudaError_t error = cudaGraphKernelNodeGetParams(node, &parameters);
    if (error == cudaSuccess)
        error =
            cudaGraphAddKernelNode(last, graph, after ? &after : NULL, after != NULL, &parameters);
    return error == cudaSuccess ? cudaGraphKernelNodeCopyAttributes(*last, node) : error;
}

static cudaError_t add_memset(cudaGraph_t graph, cudaGraphNode_t node, cudaGraphNode_t *last)
{
    struct cudaMemsetParams parameters;
    cudaGraphNode_t after = *last;
    cudaError_t error = cudaGraphMemsetNodeGetParams(node, &parameters);
    if (error != cudaSuccess)
        return error;
    return cudaGraphAddMemsetNode(last, graph, after ? &after : NULL, after != NULL, &parameters);
}

static cudaError_t add_copy(cudaGraph_t graph, cudaGraphNode_t node, cudaGraphNode_t *last)
{
    struct cudaMemcpy3DParms parameters;
    cudaGraphNode_t after = *last;
    cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &parameters);
    if (error != cudaSuccess)
        return error;
    return cudaGraphAddMemcpyNode(last, graph, after ? &after : NULL, after != NULL, &parameters);
}

/* A copy of a node, after the last one. A node that does nothing is left out. */
static cudaError_t add(cudaGraph_t graph, cudaGraphNode_t node, cudaGraphNode_t *last)
{
    enum cudaGraphNodeType type;
    cudaError_t error = cudaGraphNodeGetType(node, &type);
    if (error != cudaSuccess)
        return error;
    switch (type) {
    case cudaGraphNodeTypeKernel: return add_kernel(graph, node, last);
    case cudaGraphNodeTypeMemset: return add_memset(graph, node, last);
    case cudaGraphNodeTypeMemcpy: return add_copy(graph, node, last);
    case cudaGraphNodeTypeEmpty: return cudaSuccess;
    default: return cudaErrorNotSupported;
    }
}

static cudaError_t add_in_turn(cudaGraph_t graph, const struct chain *one, const struct chain *two)
{
    cudaGraphNode_t last = NULL;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < one->count || i < two->count; i++) {
        if (error == cudaSuccess && i < one->count)
            error = add(graph, one->nodes[i], &last);
        if (error == cudaSuccess && i < two->count)
            error = add(graph, two->nodes[i], &last);
    }
    return error;
}

static cudaError_t launch(cudaGraph_t graph, cudaStream_t stream)
{
    cudaGraphExec_t executable = NULL;
    cudaError_t error = cudaGraphInstantiate(&executable, graph, 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(executable, stream);
    if (executable)
        cudaGraphExecDestroy(executable);
    return error;
}

static void destroy(struct chain *chain)
{
    if (chain->graph)
        cudaGraphDestroy(chain->graph);
    free(chain->nodes);
}

cudaError_t judge_in_turn(const struct judge_call *call, judge_calls *body, judge_calls *other)
{
    struct chain one = {0}, two = {0}, both = {0};
    cudaError_t error = capture(call, body, &one);
    if (error == cudaSuccess)
        error = capture(call, other, &two);
    if (error == cudaSuccess)
        error = cudaGraphCreate(&both.graph, 0);
    if (error == cudaSuccess)
        error = add_in_turn(both.graph, &one, &two);
    if (error == cudaSuccess)
        error = launch(both.graph, call->stream);
    destroy(&both);
    destroy(&two);
    destroy(&one);
    return error;
}
