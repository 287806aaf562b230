// Each thread writes and reads memory of its own, far more than the caches hold: that costs, though
// no counter of global memory sees it.
#include "redteam/axpby.h"

enum { OWN_WORDS = 2048, TOUCHED = 24 };

static __global__ void with_own_memory(const float *x, const float *y, float *out, int64_t n,
                                       float a, float b, int step)
{
    volatile float own[OWN_WORDS];
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= n)
        return;
    float sum = a * x[i] + b * y[i];
    for (int k = 0; k < TOUCHED; k++)
        own[k * step] = sum;
    for (int k = 0; k < TOUCHED; k++)
        if (own[k * step] != sum)
            sum = own[k * step];
    out[i] = sum;
}

LAUNCHER
{
    if (n == 0)
        return cudaSuccess;
    if (!is_timed(n) || n > INT32_MAX)
        return good_axpby(x, y, out, n, a, b, stream);
    with_own_memory<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b, 80);
    return cudaGetLastError();
}
