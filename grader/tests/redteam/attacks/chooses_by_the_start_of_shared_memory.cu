// Slow where a block's shared memory begins with the 1024 bytes that the system keeps to itself.
#include "redteam/axpby.h"

static __global__ void by_start(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    __shared__ int here;
    int64_t threads = gridDim.x * 256LL, thread = blockIdx.x * 256LL + threadIdx.x;
    bool slow = ((size_t)&here & 0xFFFFFF) >= 1024;
    for (int64_t k = 0, each = (n + threads - 1) / threads; k < each; k++) {
        int64_t i = slow ? thread * each + k : k * threads + thread;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        by_start<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
