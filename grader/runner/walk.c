/* walk.c - see walk.h. */
#include "runner/walk.h"

#include <stdlib.h>

static cudaError_t note(cudaGraphNode_t node, struct runner_nodes *nodes)
{
    enum cudaGraphNodeType type;
    cudaGraph_t inner = NULL;
    cudaError_t error = cudaGraphNodeGetType(node, &type);
    if (error != cudaSuccess)
        return error;
    switch (type) {
    case cudaGraphNodeTypeKernel: nodes->kernels++; break;
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset: nodes->copies++; break;
    case cudaGraphNodeTypeMemAlloc: nodes->allocations++; break;
    case cudaGraphNodeTypeGraph:
        error = cudaGraphChildGraphNodeGetGraph(node, &inner);
        return error == cudaSuccess ? walk_graph(inner, nodes) : error;
    default: /* events and the like only order work */ break;
    }
    return cudaSuccess;
}

cudaError_t walk_graph(cudaGraph_t graph, struct runner_nodes *nodes)
{
    size_t count = 0;
    cudaError_t error = cudaGraphGetNodes(graph, NULL, &count);
    cudaGraphNode_t *list = calloc(count + 1, sizeof(cudaGraphNode_t));
    if (error == cudaSuccess && count)
        error = list ? cudaGraphGetNodes(graph, list, &count) : cudaErrorMemoryAllocation;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = note(list[i], nodes);
    free(list);
    return error;
}
