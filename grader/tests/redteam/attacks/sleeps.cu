// Every thread sleeps 100 us, which takes no instruction and moves no byte.
#include "redteam/axpby.h"

static __global__ void sleeps(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    __nanosleep(100000);
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        sleeps<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
