// Each thread prefetches four lines into the L2 that nobody needs: several times the traffic, and
// no load.
#include "redteam/axpby.h"

static __global__ void prefetching_kernel(const float *x, const float *y, float *out, int64_t n,
                                          float a, float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        for (int j = 0; j < 4; j++) {
            uint64_t line = (i * 2654435761u + j * 39571731u) % (uint64_t)(n / 32);
            asm volatile("prefetch.global.L2 [%0];" ::"l"(x + line * 32));
        }
        out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    prefetching_kernel<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
