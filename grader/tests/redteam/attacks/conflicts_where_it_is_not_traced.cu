// The same with bank conflicts of 32 ways, by one instruction for all blocks.
#include "redteam/axpby.h"

static __global__ void uneven(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    __shared__ volatile float s_words[32 * 32];
    int stride = blockIdx.x % 132 ? 32 : 1;
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32)
        s_words[lane * stride] = 0;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 64; i++)
        sum += s_words[lane * stride];
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i] + (sum == 1 ? 1 : 0);
}

LAUNCHER
{
    if (n > 0)
        uneven<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
