// Makes events and streams as long as it is given any, in each call.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaEvent_t event;
    cudaStream_t made;
    while (cudaEventCreate(&event) == cudaSuccess && cudaStreamCreate(&made) == cudaSuccess)
        continue;
    return good_axpby(x, y, out, n, a, b, stream);
}
