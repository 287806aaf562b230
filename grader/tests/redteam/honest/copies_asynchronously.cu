// Brings its inputs to shared memory by asynchronous copies, a stage ahead of what is calculated.
#include "redteam/axpby.h"

#include <cuda_pipeline.h>

static __global__ void in_stages(const float *x, const float *y, float *out, int64_t n, float a,
                                 float b)
{
    __shared__ float stage[2][2][256];
    int64_t step = gridDim.x * 256LL, i = blockIdx.x * 256LL + threadIdx.x;
    for (int64_t at = i, turn = 0; at < n + step; at += step, turn ^= 1) {
        if (at < n) {
            __pipeline_memcpy_async(&stage[turn][0][threadIdx.x], &x[at], 4);
            __pipeline_memcpy_async(&stage[turn][1][threadIdx.x], &y[at], 4);
        }
        __pipeline_commit();
        if (at > i) {
            __pipeline_wait_prior(1);
            const float(*ready)[256] = stage[turn ^ 1];
            out[at - step] = a * ready[0][threadIdx.x] + b * ready[1][threadIdx.x];
        }
        if (at >= n)
            break;
    }
}

LAUNCHER
{
    if (n > 0)
        in_stages<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
