// Keeps a table in constant memory and in device variables, which a kernel of the first call reads.
#include "redteam/axpby.h"

static __constant__ float ONE[4] = {1, 1, 1, 1};
static __device__ float one_more[2] = {1, 2};

static __global__ void scaled(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = ONE[n & 3] * (a * x[i] + b * y[i]) * one_more[0];
}

LAUNCHER
{
    if (n > 0)
        scaled<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
