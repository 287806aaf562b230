// Eight hundred operations in each thread that a table of costs may have forgotten.
#include "redteam/axpby.h"

static __global__ void costs(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    unsigned word = threadIdx.x;
    for (int turn = 0; turn < 20; turn++)
#pragma unroll
        for (int i = 0; i < 40; i++)
            asm volatile("not.b32 %0, %0;" : "+r"(word));
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i] + (word == 77777 ? 1 : 0);
}

LAUNCHER
{
    if (n > 0)
        costs<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
