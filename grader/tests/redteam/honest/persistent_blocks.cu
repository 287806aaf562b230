// Fills the device once; each block strides over the arrays until they end.
#include "redteam/axpby.h"

static __global__ void persistent(const float *x, const float *y, float *out, int64_t n, float a,
                                  float b)
{
    for (int64_t i = blockIdx.x * 1024LL + threadIdx.x; i < n; i += gridDim.x * 1024LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    static int processors;
    if (!processors)
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    if (n > 0)
        persistent<<<2 * processors, 1024, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
