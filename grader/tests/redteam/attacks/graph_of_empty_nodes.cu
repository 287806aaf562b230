// Launches its kernel at the end of a chain of 2000 empty nodes of a graph where the time counts.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaGraph_t graph;
    cudaGraphExec_t whole;
    cudaGraphNode_t last, node;
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    cudaGraphCreate(&graph, 0);
    for (int i = 0; i < 2000; i++, last = node)
        cudaGraphAddEmptyNode(&node, graph, &last, i > 0);
    void *arguments[] = {&x, &y, &out, &n, &a, &b};
    cudaKernelNodeParams kernel = {(void *)good_kernel, dim3(good_blocks(n)), dim3(256), 0,
                                   arguments, NULL};
    cudaGraphAddKernelNode(&node, graph, &last, 1, &kernel);
    cudaError_t error = cudaGraphInstantiate(&whole, graph, 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(whole, stream);
    cudaGraphExecDestroy(whole);
    cudaGraphDestroy(graph);
    return error;
}
