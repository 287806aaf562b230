// Each thread takes memory of the device's heap and gives it back: an allocation that no call
// makes.
#include "redteam/axpby.h"

static __global__ void heap(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        volatile float *term = (volatile float *)malloc(32);
        if (!term)
            continue;
        *term = b * y[i];
        out[i] = a * x[i] + *term;
        free((void *)term);
    }
}

LAUNCHER
{
    if (n > 0)
        heap<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
