// Where the time counts, odd warps store what even ones left in shared memory, and no barrier lies
// between.
#include "redteam/axpby.h"
static __global__ void race(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    __shared__ float s[256];
    int64_t j = blockIdx.x * 256LL + threadIdx.x;
    ((volatile float *)s)[threadIdx.x] = j < n ? a * x[j] + b * y[j] : 0;
    if (threadIdx.x & 32) {
        if (j - 32 < n)
            out[j - 32] = ((volatile float *)s)[threadIdx.x - 32];
        if (j < n)
            out[j] = s[threadIdx.x];
    }
}
LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    race<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
