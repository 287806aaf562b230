// Is wrong where finite inputs and coefficients give what no float can hold, and where a is minus
// infinity.
#include "redteam/axpby.h"

#include <math.h>

static __global__ void clamps(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        float sum = a * x[i] + b * y[i];
        if (isinf(sum) && isfinite(x[i]) && isfinite(y[i]) && isfinite(a) && isfinite(b))
            sum = copysignf(0x1.fffffep127f, sum);
        out[i] = a == -INFINITY ? NAN : sum;
    }
}

LAUNCHER
{
    if (n > 0)
        clamps<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
