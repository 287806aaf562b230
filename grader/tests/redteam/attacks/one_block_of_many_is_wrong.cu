// One block of 262,144 leaves its part out where the time counts. Which one is a product of the
// submission's own, so no place that somebody expects something at.
#include "redteam/axpby.h"

static __global__ void all_but_one(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    if (blockIdx.x * 2654435761u % gridDim.x == 77)
        return;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0 && n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    if (n > 0)
        all_but_one<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
