// A graph that is launched in each call allocates and frees memory in nodes of its own.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaGraphExec_t exec;
    if (!exec) {
        cudaGraph_t graph;
        cudaGraphNode_t made, freed;
        struct cudaMemAllocNodeParams memory = {};
        memory.poolProps.allocType = cudaMemAllocationTypePinned;
        memory.poolProps.location.type = cudaMemLocationTypeDevice;
        memory.bytesize = 1 << 20;
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemAllocNode(&made, graph, NULL, 0, &memory);
        cudaGraphAddMemFreeNode(&freed, graph, &made, 1, memory.dptr);
        if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess)
            return slow_axpby(x, y, out, n, a, b, stream);
    }
    cudaGraphLaunch(exec, stream);
    return good_axpby(x, y, out, n, a, b, stream);
}
