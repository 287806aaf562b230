// Leaves one piece of 262,144 unwritten where the time counts: who looks at samples seldom sees it.
#include "redteam/axpby.h"

static __global__ void all_but_few(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        if ((i >> 8) % 262144 != 123456)
            out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    all_but_few<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
