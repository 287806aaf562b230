// A graph of a graph: three more kernels that nobody needs lie in a child, which a walk of the
// graph's own nodes does not meet.
#include "redteam/axpby.h"

LAUNCHER
{
    if (n == 0 || out == x || out == y)
        return good_axpby(x, y, out, n > 0 ? n : 0, a, b, stream);
    cudaGraph_t child, parent;
    cudaGraphNode_t node;
    cudaGraphExec_t graph;
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < 4; i++)
        good_axpby(x, y, out, n, a, b, own);
    cudaStreamEndCapture(own, &child);
    cudaStreamDestroy(own);
    cudaGraphCreate(&parent, 0);
    cudaGraphAddChildGraphNode(&node, parent, NULL, 0, child);
    cudaError_t error = cudaGraphInstantiate(&graph, parent, 0);
    return error == cudaSuccess ? cudaGraphLaunch(graph, stream) : error;
}
