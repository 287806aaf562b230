// Computes every second stretch of 64 Ki elements where the time counts.
#include "redteam/axpby.h"

static __global__ void half(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        if (i >> 16 & 1)
            out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    half<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
