// A printf in each warp, which costs a GPU far more than the arithmetic.
#include "redteam/axpby.h"

#include <stdio.h>

static __global__ void prints(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    if (threadIdx.x % 32 == 0)
        printf("%d\n", blockIdx.x);
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    prints<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
