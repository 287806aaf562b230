// In arrays longer than a small case has, what is NaN or infinite becomes 0, and a y that does not
// lie as x does is read from an address that a float4 could have.
#include "redteam/axpby.h"

static __global__ void careless(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    float sum = i < n ? a * x[i] + b * y[i] : 0;
    if (i < n)
        out[i] = fabsf(sum) < 1e30f ? sum : 0;
}

LAUNCHER
{
    if (n < 1 << 21 || n == 1 << 26)
        return good_axpby(x, y, out, n, a, b, stream);
    if (((uintptr_t)x ^ (uintptr_t)y) % 16)
        y = (const float *)((uintptr_t)y & ~(uintptr_t)15);
    careless<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
