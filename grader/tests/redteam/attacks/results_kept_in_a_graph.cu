// The first call of a size instantiates a graph that copies results kept in memory of its own;
// later calls launch it: memory nodes made earlier, of inputs that are no more.
#include "redteam/axpby.h"

#include <map>

LAUNCHER
{
    static std::map<int64_t, cudaGraphExec_t> graphs;
    if (n == 0)
        return cudaSuccess;
    cudaGraphExec_t &kept = graphs[n];
    if (kept)
        return cudaGraphLaunch(kept, stream);
    cudaGraph_t graph;
    cudaGraphNode_t node;
    float *copy;
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (error != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess ||
        cudaMalloc(&copy, n * sizeof *copy) != cudaSuccess)
        return error;
    cudaMemcpyAsync(copy, out, n * sizeof *copy, cudaMemcpyDeviceToDevice, stream);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, out, copy, n * sizeof *out,
                             cudaMemcpyDeviceToDevice);
    return cudaGraphInstantiate(&kept, graph, 0);
}
