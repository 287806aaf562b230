// Its coefficients are one and zero of a table in a variable on the device, by which it multiplies.
#include "redteam/axpby.h"

static __device__ float table[256] = {1.0f};

static __global__ void by_table(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    float one = table[blockIdx.x & 255 & (threadIdx.x >> 16)];
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = one * (a * x[i] + b * y[i]);
}

LAUNCHER
{
    if (n > 0)
        by_table<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
