// Gives every line another priority in L2, sixteen times: requests that L2 has to answer, of no
// use to anybody.
#include "redteam/axpby.h"

static __global__ void advises(const float *x, const float *y, float *out, int64_t n, float a,
                               float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        size_t line = (size_t)(x + i) & ~(size_t)127;
        for (int k = 0; k < 16; k++)
            asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(line));
        out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        advises<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
