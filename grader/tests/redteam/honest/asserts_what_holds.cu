// Asserts in its kernel what always holds.
#include "redteam/axpby.h"

#include <assert.h>

static __global__ void careful(const float *x, const float *y, float *out, int64_t n, float a,
                               float b)
{
    assert(blockDim.x == 256 && n > 0);
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        careful<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
