// Makes and destroys 200 streams and events where the time counts.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    for (int i = 0; i < 200 && is_timed(n); i++) {
        cudaStream_t own;
        cudaEvent_t event;
        cudaStreamCreate(&own);
        cudaEventCreate(&event);
        cudaEventDestroy(event);
        cudaStreamDestroy(own);
    }
    return error;
}
