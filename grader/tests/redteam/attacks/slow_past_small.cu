// The kernel as shipped, 64 elements a thread, for all but the smaller case that stands in where a
// launch cannot be sampled.
#include "redteam/axpby.h"
static __device__ volatile int never;
static __global__ void slow_volatile(const float *x, const float *y, float *out, int64_t n, float a,
                                     float b)
{
    if (n < 0)
        out[0] = never;
    int64_t first = (blockIdx.x * 256LL + threadIdx.x) * 64;
    for (int64_t i = first; i < first + 64 && i < n; i++)
        out[i] = a * x[i] + b * y[i];
}
LAUNCHER
{
    if (n == 1 << 22)
        return good_axpby(x, y, out, n, a, b, stream);
    if (n > 0)
        slow_volatile<<<slow_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
