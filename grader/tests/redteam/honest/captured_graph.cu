// Captures its kernel into a graph, keeps it for its problem, and launches it.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t whole = NULL;
    static cudaStream_t captured;
    if (n == 0)
        return cudaSuccess;
    if (!captured)
        cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking);
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal);
    good_axpby(x, y, out, n, a, b, captured);
    cudaStreamEndCapture(captured, &graph);
    cudaError_t error = cudaGraphInstantiate(&whole, graph, 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(whole, stream);
    cudaGraphExecDestroy(whole);
    cudaGraphDestroy(graph);
    return error;
}
