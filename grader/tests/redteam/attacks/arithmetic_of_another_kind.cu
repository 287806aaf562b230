// A hundred multiply-adds in double for each element: arithmetic that no bar of the lesson counts.
#include "redteam/axpby.h"

static __global__ void doubles(const float *x, const float *y, float *out, int64_t n, float a,
                               float b, double factor)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        double value = x[i];
        for (int turn = 0; turn < 100; turn++)
            value = value * factor + 1;
        out[i] = a * x[i] + b * y[i] + (value == 12345 ? 1 : 0);
    }
}

LAUNCHER
{
    if (n > 0)
        doubles<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b, 0.25);
    return cudaGetLastError();
}
