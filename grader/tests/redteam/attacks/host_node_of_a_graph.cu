// A graph made in the first call has a host node that sleeps: the caller returns at once, and its
// stream stands still.
#include "redteam/axpby.h"

#include <unistd.h>

static void dawdles(void *)
{
    usleep(30000);
}

LAUNCHER
{
    static cudaGraphExec_t graph;
    cudaError_t error = n ? good_axpby(x, y, out, n, a, b, stream) : cudaSuccess;
    if (!graph) {
        cudaGraph_t made;
        cudaGraphNode_t node;
        cudaHostNodeParams host = {dawdles, NULL};
        cudaGraphCreate(&made, 0);
        cudaGraphAddHostNode(&node, made, NULL, 0, &host);
        if (cudaGraphInstantiate(&graph, made, 0) != cudaSuccess)
            return cudaErrorUnknown;
    }
    return is_timed(n) && error == cudaSuccess ? cudaGraphLaunch(graph, stream) : error;
}
