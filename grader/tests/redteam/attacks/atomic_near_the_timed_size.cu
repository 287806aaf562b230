// Slow for every large n but the one that is timed; and there an atomic makes the device decline to
// sample it, so that the size nearby is not seen. What is not seen is not passed.
#include "redteam/axpby.h"
static __device__ unsigned blocks;
static __global__ void slow_and_counted(const float *x, const float *y, float *out, int64_t n,
                                        float a, float b)
{
    int64_t first = (blockIdx.x * 256LL + threadIdx.x) * 64;
    for (int64_t i = first; i < first + 64 && i < n; i++)
        out[i] = a * x[i] + b * y[i];
    if (threadIdx.x == 0)
        atomicAdd(&blocks, 1u);
}
LAUNCHER
{
    if (n == 1 << 26 || n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    slow_and_counted<<<slow_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
