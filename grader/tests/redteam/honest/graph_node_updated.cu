// Keeps one graph and gives its kernel node the arguments of each call.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaGraph_t graph;
    static cudaGraphExec_t whole;
    static cudaGraphNode_t node;
    void *arguments[] = {&x, &y, &out, &n, &a, &b};
    cudaKernelNodeParams kernel = {(void *)good_kernel, dim3(good_blocks(n)), dim3(256), 0,
                                   arguments, NULL};
    if (n == 0)
        return cudaSuccess;
    if (!graph) {
        cudaGraphCreate(&graph, 0);
        cudaGraphAddKernelNode(&node, graph, NULL, 0, &kernel);
        cudaGraphInstantiate(&whole, graph, 0);
    }
    cudaError_t error = cudaGraphExecKernelNodeSetParams(whole, node, &kernel);
    return error == cudaSuccess ? cudaGraphLaunch(whole, stream) : error;
}
