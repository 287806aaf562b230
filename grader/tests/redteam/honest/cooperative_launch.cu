// Launches cooperatively, with a grid-wide barrier that nothing needs.
#include "redteam/axpby.h"

#include <cooperative_groups.h>

static __global__ void together(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
    cooperative_groups::this_grid().sync();
}

LAUNCHER
{
    int blocks = 0, processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, together, 256, 0);
    void *arguments[] = {&x, &y, &out, &n, &a, &b};
    if (n == 0)
        return cudaSuccess;
    return cudaLaunchCooperativeKernel((const void *)together, dim3(blocks * processors), dim3(256),
                                       arguments, 0, stream);
}
