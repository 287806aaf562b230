// PTX does not say that %warpid is the warp's number in its block: a multiprocessor numbers the
// warps of all its blocks. Who takes it for that leaves out what others have on a GPU.
#include "redteam/axpby.h"

static __global__ void by_warp(const float *x, const float *y, float *out, int64_t n, float a,
                               float b)
{
    unsigned warp, lane = threadIdx.x % 32;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    for (int64_t i = blockIdx.x * 256LL + warp * 32 + lane; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        by_warp<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
