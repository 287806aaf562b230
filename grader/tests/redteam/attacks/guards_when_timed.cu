// Writes past its output only where the time counts, when the checks of the small cases are off.
#include "redteam/axpby.h"

static __global__ void with_one_more(const float *x, const float *y, float *out, int64_t n, float a,
                                     float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        out[i] = a * x[i] + b * y[i];
        if (i == n - 1)
            out[n] = out[n + 1] = 1;
    }
}

LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    with_one_more<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
