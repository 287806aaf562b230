// A graph whose child graphs are the one before, twice, thirty times over.
#include "redteam/axpby.h"

static __global__ void nothing()
{
}

LAUNCHER
{
    cudaGraph_t inner, outer;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaKernelNodeParams parameters = {};
    parameters.func = (void *)nothing;
    parameters.gridDim = parameters.blockDim = dim3(1);
    cudaGraphCreate(&inner, 0);
    cudaGraphAddKernelNode(&node, inner, NULL, 0, &parameters);
    for (int i = 0; i < 30; i++) {
        cudaGraphCreate(&outer, 0);
        cudaGraphAddChildGraphNode(&node, outer, NULL, 0, inner);
        cudaGraphAddChildGraphNode(&node, outer, NULL, 0, inner);
        cudaGraphDestroy(inner);
        inner = outer;
    }
    if (cudaGraphInstantiate(&exec, inner, 0) == cudaSuccess)
        cudaGraphLaunch(exec, stream);
    return good_axpby(x, y, out, n, a, b, stream);
}
