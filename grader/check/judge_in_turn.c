/* judge_in_turn.c - two calls as one graph, in which their launches take turns.
 *
 * Each call is captured by itself. Copies of both graphs' nodes then form one chain: the first of
 * one, the first of the other, the second of one, and so on. Streams would leave the order to
 * chance; here a launch of the second call always comes between two of the first, where it may
 * overwrite what the first has left for itself.
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

/* The graph so far, and its last node, if it has any. */
struct made {
    cudaGraph_t graph;
    cudaGraphNode_t last;
    size_t last_count; /* 0 or 1 */
};

static cudaError_t add_kernel(const struct made *made, cudaGraphNode_t node, cudaGraphNode_t *copy)
{
    struct cudaKernelNodeParams parameters;
    cudaError_t error = cudaGraphKernelNodeGetParams(node, &parameters);
    if (error == cudaSuccess)
        error =
            cudaGraphAddKernelNode(copy, made->graph, &made->last, made->last_count, &parameters);
    return error == cudaSuccess ? cudaGraphKernelNodeCopyAttributes(*copy, node) : error;
}

static cudaError_t add_memset(const struct made *made, cudaGraphNode_t node, cudaGraphNode_t *copy)
{
    struct cudaMemsetParams parameters;
    cudaError_t error = cudaGraphMemsetNodeGetParams(node, &parameters);
    if (error != cudaSuccess)
        return error;
    return cudaGraphAddMemsetNode(copy, made->graph, &made->last, made->last_count, &parameters);
}

static cudaError_t add_memcpy(const struct made *made, cudaGraphNode_t node, cudaGraphNode_t *copy)
{
    struct cudaMemcpy3DParms parameters;
    cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &parameters);
    if (error != cudaSuccess)
        return error;
    return cudaGraphAddMemcpyNode(copy, made->graph, &made->last, made->last_count, &parameters);
}

/* A copy of a node, after the last one. A node that does nothing is left out. */
static cudaError_t add(struct made *made, cudaGraphNode_t node)
{
    enum cudaGraphNodeType type;
    cudaGraphNode_t copy = NULL;
    cudaError_t error = cudaGraphNodeGetType(node, &type);
    if (error != cudaSuccess || type == cudaGraphNodeTypeEmpty)
        return error;
    switch (type) {
    case cudaGraphNodeTypeKernel: error = add_kernel(made, node, &copy); break;
    case cudaGraphNodeTypeMemset: error = add_memset(made, node, &copy); break;
    case cudaGraphNodeTypeMemcpy: error = add_memcpy(made, node, &copy); break;
    default: return cudaErrorNotSupported;
    }
    made->last = copy;
    made->last_count = 1;
    return error;
}

static cudaError_t add_in_turn(cudaGraph_t graph, const struct chain *one, const struct chain *two)
{
    struct made made = {.graph = graph};
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < one->count || i < two->count; i++) {
        if (error == cudaSuccess && i < one->count)
            error = add(&made, one->nodes[i]);
        if (error == cudaSuccess && i < two->count)
            error = add(&made, two->nodes[i]);
    }
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
        error = judge_launch_graph(both.graph, call->stream);
    destroy(&both);
    destroy(&two);
    destroy(&one);
    return error;
}
