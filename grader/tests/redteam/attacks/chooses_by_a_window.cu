// Slow where the generic address of its shared memory lies where a GPU's windows do.
#include "redteam/axpby.h"

static __global__ void by_window(const float *x, const float *y, float *out, int64_t n, float a,
                                 float b)
{
    __shared__ int here;
    int64_t threads = gridDim.x * 256LL, thread = blockIdx.x * 256LL + threadIdx.x;
    bool slow = (size_t)&here >> 40 >= 0x70;
    for (int64_t k = 0, each = (n + threads - 1) / threads; k < each; k++) {
        int64_t i = slow ? thread * each + k : k * threads + thread;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        by_window<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
