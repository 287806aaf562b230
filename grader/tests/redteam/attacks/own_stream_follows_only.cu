// Its own stream waits for the given one, which looks like order, but not the other way round.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaStream_t own;
    static cudaEvent_t before;
    if (!own) {
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
    }
    cudaEventRecord(before, stream);
    cudaStreamWaitEvent(own, before);
    return good_axpby(x, y, out, n, a, b, own);
}
