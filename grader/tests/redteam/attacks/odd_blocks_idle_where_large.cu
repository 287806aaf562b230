// Past 2^31 every second block returns at once; those that work write as many as each should.
#include "redteam/axpby.h"
static __global__ void even(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    if (blockIdx.x & 1)
        return;
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}
LAUNCHER
{
    if (n < 1LL << 31)
        return good_axpby(x, y, out, n, a, b, stream);
    even<<<1 << 20, 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
