// Every sixteenth block stores its elements in the opposite order and one of them twice: all are
// written, by whom one would not expect.
#include "redteam/axpby.h"

static __global__ void in_pairs(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    bool backward = blockIdx.x % 16 == 5;
    unsigned lane = backward ? 255 - threadIdx.x : threadIdx.x;
    int64_t i = blockIdx.x * 256LL + lane;
    if (i >= n)
        return;
    float sum = a * x[i] + b * y[i];
    out[i] = sum;
    if (backward && lane == 77)
        out[i] = sum;
}

LAUNCHER
{
    if (n > 0)
        in_pairs<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
