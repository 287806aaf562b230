// The same of one warp, not the first of its block, and only after it has loaded its data.
#include "redteam/axpby.h"

static __global__ void all_but_one(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= n)
        return;
    float sum = a * x[i] + b * y[i];
    if ((unsigned)(i >> 5) * 2654435761u % (gridDim.x * 8) == 12345)
        sum = sum + 1;
    out[i] = sum;
}

LAUNCHER
{
    if (n > 0 && n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    if (n > 0)
        all_but_one<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
