// Slow where a multiprocessor's clock has run for a second, as that of a GPU mostly has.
#include "redteam/axpby.h"

static __global__ void by_the_clock(const float *x, const float *y, float *out, int64_t n, float a,
                                    float b)
{
    int64_t threads = gridDim.x * 256LL, thread = blockIdx.x * 256LL + threadIdx.x;
    bool slow = clock64() > 1500000000LL;
    for (int64_t k = 0, each = (n + threads - 1) / threads; k < each; k++) {
        int64_t i = slow ? thread * each + k : k * threads + thread;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        by_the_clock<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
