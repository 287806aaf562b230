// Launches a kernel that stores nothing: a launch is there, a result is not.
#include "redteam/axpby.h"

static __global__ void nothing(const float *x, float *out)
{
    if (x == out + 1)
        *out = 0;
}

LAUNCHER
{
    nothing<<<1, 32, 0, stream>>>(x, out);
    return cudaGetLastError();
}
