// Slow where the global timer tells the time of day, as a GPU's does.
#include "redteam/axpby.h"

static __global__ void by_the_time(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    int64_t threads = gridDim.x * 256LL, thread = blockIdx.x * 256LL + threadIdx.x;
    bool slow = now > 1600000000ULL * 1000000000ULL;
    for (int64_t k = 0, each = (n + threads - 1) / threads; k < each; k++) {
        int64_t i = slow ? thread * each + k : k * threads + thread;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        by_the_time<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
