// A simulated device deals blocks out in turn: block b on multiprocessor b % 132. Where that holds
// it works; on a device whose blocks lie otherwise it leaves its block out.
#include "redteam/axpby.h"

static __global__ void in_turn(const float *x, const float *y, float *out, int64_t n, float a,
                               float b)
{
    unsigned multiprocessor, all;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(all));
    if (multiprocessor != blockIdx.x % all)
        return;
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        in_turn<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
