// Writes to an input what it holds: the contract says that inputs are not written, and the bytes do
// not tell.
#include "redteam/axpby.h"

static __global__ void back(const float *x, float *y, float *out, int64_t n, float a, float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        out[i] = a * x[i] + b * y[i];
        if (i == 0)
            *(volatile float *)y = y[0];
    }
}

LAUNCHER
{
    if (n > 0)
        back<<<good_blocks(n), 256, 0, stream>>>(x, (float *)y, out, n, a, b);
    return cudaGetLastError();
}
