// Launches one graph, in which are two kernels: what the contract counts is kernels.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t whole = NULL;
    int64_t half = n / 2;
    cudaStream_t captured;
    cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking);
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal);
    good_axpby(x, y, out, half, a, b, captured);
    good_axpby(x + half, y + half, out + half, n - half, a, b, captured);
    cudaStreamEndCapture(captured, &graph);
    cudaGraphInstantiate(&whole, graph, 0);
    cudaError_t error = cudaGraphLaunch(whole, stream);
    cudaGraphDestroy(graph);
    cudaGraphExecDestroy(whole);
    cudaStreamDestroy(captured);
    return error;
}
