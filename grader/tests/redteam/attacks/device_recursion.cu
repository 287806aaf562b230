// Calls itself on the device without end.
#include "redteam/axpby.h"

static __device__ __noinline__ float deep(float value)
{
    return value > 1e30f ? value : deep(value + 1) + 1;
}

static __global__ void recursive(const float *x, float *out)
{
    out[0] = deep(x[0]);
}

LAUNCHER
{
    if (n > 0)
        recursive<<<1, 1, 0, stream>>>(x, out);
    return cudaGetLastError();
}
