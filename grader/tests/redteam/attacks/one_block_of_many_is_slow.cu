// One block of 262,144 goes on for a thousand times as long as all others together would.
#include "redteam/axpby.h"

static __global__ void one_lags(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    unsigned work = blockIdx.x * 2654435761u % gridDim.x == 77 ? 1000000 : 0, rest = 0;
    for (unsigned k = 0; k < work; k++)
        rest = rest * 1664525u + k;
    if (i < n)
        out[i] = a * x[i] + b * y[i] + (rest == 1 ? 1 : 0);
}

LAUNCHER
{
    if (n > 0 && n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    if (n > 0)
        one_lags<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
