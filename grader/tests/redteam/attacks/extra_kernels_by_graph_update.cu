// Keeps a graph of one kernel, and updates it before each launch to one that has a second kernel
// for the other half.
#include "redteam/axpby.h"

static cudaGraph_t captured(const float *x, const float *y, float *out, int64_t n, float a, float b,
                            int parts)
{
    cudaGraph_t graph = NULL;
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
    for (int64_t part = 0, from = 0; part < parts; part++, from = part * (n / parts)) {
        int64_t to = part + 1 == parts ? n : (part + 1) * (n / parts);
        slow_axpby(x + from, y + from, out + from, to - from, a, b, own);
    }
    cudaStreamEndCapture(own, &graph);
    cudaStreamDestroy(own);
    return graph;
}

LAUNCHER
{
    static cudaGraphExec_t whole;
    cudaGraphExecUpdateResultInfo info;
    if (n < 2)
        return good_axpby(x, y, out, n, a, b, stream);
    cudaGraph_t graph = captured(x, y, out, n, a, b, 2);
    if (!whole || cudaGraphExecUpdate(whole, graph, &info) != cudaSuccess) {
        cudaGetLastError();
        cudaGraphInstantiate(&whole, graph, 0);
    }
    cudaGraphDestroy(graph);
    return cudaGraphLaunch(whole, stream);
}
