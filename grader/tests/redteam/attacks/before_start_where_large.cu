// With out one element off, it writes the element before the first.
#include "redteam/axpby.h"
static __global__ void past(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[-1] = 7;
}
LAUNCHER
{
    if (n < 1LL << 31 || (uintptr_t)out % 16 == 0)
        return good_axpby(x, y, out, n, a, b, stream);
    past<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
