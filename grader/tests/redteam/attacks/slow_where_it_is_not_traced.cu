// Blocks that a fixed multiprocessor of 132 would get are cheap; all others divide a lot. The model
// replays some blocks, and no submission may know which.
#include "redteam/axpby.h"

static __global__ void uneven(const float *x, const float *y, float *out, int64_t n, float a,
                              float b, unsigned long long d)
{
    unsigned long long rest = 0;
    if (blockIdx.x % 132 != 0)
        for (int i = 0; i < 16; i++)
            rest += (n + i + threadIdx.x) % (d + i);
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i] + (rest == 1 ? 1 : 0);
}

LAUNCHER
{
    if (n > 0)
        uneven<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b, 1ULL << 40 | 7);
    return cudaGetLastError();
}
