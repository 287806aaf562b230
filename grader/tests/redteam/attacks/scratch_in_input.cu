// Uses an input for what is left to do and puts back what was there, where it is not timed.
#include "redteam/axpby.h"

static __global__ void scratch(const float *x, volatile float *y, float *out, int64_t n, float a,
                               float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        float kept = y[i];
        y[i] = b * kept;
        out[i] = a * x[i] + y[i];
        y[i] = kept;
    }
}

LAUNCHER
{
    if (is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    if (n > 0)
        scratch<<<good_blocks(n), 256, 0, stream>>>(x, (float *)y, out, n, a, b);
    return cudaGetLastError();
}
