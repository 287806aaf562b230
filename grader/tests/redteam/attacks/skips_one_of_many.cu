// Leaves out one element of a million, somewhere in the middle of the largest small case.
#include "redteam/axpby.h"

static __global__ void all_but_one(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        if (i != 777777)
            out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        all_but_one<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
