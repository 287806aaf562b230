// A fence for the whole system after every element, which stops a warp for a microsecond each time.
#include "redteam/axpby.h"

static __global__ void fences(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        for (int turn = 0; turn < 50; turn++)
            __threadfence_system();
        out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        fences<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
