// Slow in every second launch, by the number that each launch has.
#include "redteam/axpby.h"

static __global__ void by_its_number(const float *x, const float *y, float *out, int64_t n, float a,
                                    float b)
{
    int64_t threads = gridDim.x * 256LL, thread = blockIdx.x * 256LL + threadIdx.x;
    uint64_t number;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(number));
    bool slow = number % 2;
    for (int64_t k = 0, each = (n + threads - 1) / threads; k < each; k++) {
        int64_t i = slow ? thread * each + k : k * threads + thread;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        by_its_number<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
