// Waits at an mbarrier for a phase that nobody ends, as long as the hint says: 200 us for each
// warp, in one instruction.
#include "redteam/axpby.h"

static __global__ void sleeps(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    __shared__ unsigned long long barrier;
    unsigned at = (unsigned)__cvta_generic_to_shared(&barrier), over;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    __syncthreads();
    asm volatile("{ .reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%1], 0, %2;\n"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(over) : "r"(at), "r"(200000) : "memory");
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i] + (over ? 1 : 0);
}

LAUNCHER
{
    if (n > 0)
        sleeps<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
