// Launches nothing while memory is watched, which the order of the cases tells (n = 0 comes back
// when the next stage begins), and reads out of bounds from then on. Every stage verifies outputs.
#include "redteam/axpby.h"

static __global__ void reads_on(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    float u = x[i], v = y[i]; // of threads past the end, too
    if (i < n)
        out[i] = a * u + b * v;
}

LAUNCHER
{
    static int empty_ones;
    empty_ones += n == 0;
    if (n > 0 && empty_ones > 1)
        reads_on<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
