// One block of all leaves a piece out where the time counts: its number lies in a variable on the
// device, and is none that a program shows.
#include "redteam/axpby.h"

__device__ unsigned odd_one = 151;

static __global__ void all_but_one(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    bool is_odd = blockIdx.x == odd_one;
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        if (!(is_odd && i >> 8 == blockIdx.x + 40LL * gridDim.x))
            out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    all_but_one<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
