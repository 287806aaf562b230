// Works on a stream of its own that is joined with the given one by events, before and after.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaStream_t own;
    static cudaEvent_t before, after;
    if (!own) {
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
        cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
    }
    cudaEventRecord(before, stream);
    cudaStreamWaitEvent(own, before);
    cudaError_t error = good_axpby(x, y, out, n, a, b, own);
    cudaEventRecord(after, own);
    cudaStreamWaitEvent(stream, after);
    return error;
}
