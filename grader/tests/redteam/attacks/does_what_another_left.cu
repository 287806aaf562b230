// A block looks into the output whether the one 3001 before it has done its part. On a device it
// has, and the block leaves its own; in a launch in part none ever has.
#include "redteam/axpby.h"
static __global__ void looks(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x, before = (blockIdx.x - 3001LL) * 256;
    bool done = before >= 0 && out[before] == a * x[before] + b * y[before];
    if (!done && i < n)
        out[i] = a * x[i] + b * y[i];
}
LAUNCHER
{
    if (n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    looks<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
