// As waits_by_asking, for an event.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaEvent_t done;
    if (!done)
        cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    cudaEventRecord(done, stream);
    while (cudaEventQuery(done) == cudaErrorNotReady)
        continue;
    return error;
}
