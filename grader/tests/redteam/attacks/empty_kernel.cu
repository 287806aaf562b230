// Launches a kernel that stores nothing: a launch is there, a result is not. With n = 0 nothing is
// launched, as the contract asks, so that the missing result alone is refused.
#include "redteam/axpby.h"

static __global__ void nothing(const float *x, float *out)
{
    if (x == out + 1)
        *out = 0;
}

LAUNCHER
{
    if (n <= 0)
        return cudaGetLastError();
    nothing<<<1, 32, 0, stream>>>(x, out);
    return cudaGetLastError();
}
