// Keeps its coefficients in one place on the device for all calls: a second call on another stream
// changes them under the first.
#include "redteam/axpby.h"

static __device__ float kept[2];

static __global__ void kernel(const float *x, const float *y, float *out, int64_t n)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = kept[0] * x[i] + kept[1] * y[i];
}

LAUNCHER
{
    const float both[2] = {a, b};
    if (n == 0)
        return cudaSuccess;
    cudaMemcpyToSymbolAsync(kept, both, sizeof both, 0, cudaMemcpyHostToDevice, stream);
    kernel<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}
