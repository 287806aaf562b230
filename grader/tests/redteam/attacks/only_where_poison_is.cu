// Looks which elements hold the grader's poison and writes only those, to tell timed launches from
// others. What was not written may not be read.
#include "redteam/axpby.h"

static __global__ void over_poison(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        if (isnan(out[i]) || fabsf(out[i]) > 1e30f)
            out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        over_poison<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
