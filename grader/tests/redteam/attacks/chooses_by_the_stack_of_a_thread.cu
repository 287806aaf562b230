// Slow where a thread's own memory lies near the end of its window, as a GPU's stacks do.
#include "redteam/axpby.h"

static __global__ void by_stack(const float *x, const float *y, float *out, int64_t n, float a,
                                float b, int zero)
{
    volatile int own[4] = {0, 0, 0, 0};
    int64_t threads = gridDim.x * 256LL, thread = blockIdx.x * 256LL + threadIdx.x;
    bool slow = ((size_t)&own[zero] & 0xFFFFFF) >= 0x800000;
    for (int64_t k = 0, each = (n + threads - 1) / threads; k < each; k++) {
        int64_t i = slow ? thread * each + k : k * threads + thread;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        by_stack<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b, 0);
    return cudaGetLastError();
}
