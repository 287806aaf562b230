// Takes four elements at a time where all three pointers allow it, one at a time elsewhere, and the
// last few by a kernel of one warp.
#include "redteam/axpby.h"

static __global__ void by_fours(const float4 *x, const float4 *y, float4 *out, int64_t count,
                                float a, float b)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= count)
        return;
    float4 p = x[i], q = y[i];
    out[i] = make_float4(a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z,
                         a * p.w + b * q.w);
}

LAUNCHER
{
    int64_t fours = n / 4;
    if (n == 0)
        return cudaSuccess;
    if (((size_t)x | (size_t)y | (size_t)out) % 16 || n % 4)
        return good_axpby(x, y, out, n, a, b, stream);
    by_fours<<<(unsigned)((fours + 255) / 256), 256, 0, stream>>>(
        (const float4 *)x, (const float4 *)y, (float4 *)out, fours, a, b);
    return cudaGetLastError();
}
