// Every thread reads a clock until 50 us have passed.
#include "redteam/axpby.h"

static __global__ void waits(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    for (long long start = clock64(); clock64() - start < 80000;)
        ;
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        waits<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
