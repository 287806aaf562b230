// Calls itself on the device, with an array on the stack, and sets the limit that it takes.
#include "redteam/axpby.h"

static __device__ __noinline__ float deep(const float *words, int depth)
{
    float own[4];
    for (int i = 0; i < 4; i++)
        own[i] = words[i % 2];
    return depth > 0 ? deep(own, depth - 1) : own[1];
}

static __global__ void recursive(const float *x, const float *y, float *out, int64_t n, float a,
                                 float b, int depth)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        float words[2] = {b, a};
        out[i] = deep(words, depth) * x[i] + b * y[i];
    }
}

LAUNCHER
{
    static bool set;
    if (!set)
        set = cudaDeviceSetLimit(cudaLimitStackSize, 8 << 10) == cudaSuccess;
    if (n == 0 || n > 5000)
        return good_axpby(x, y, out, n, a, b, stream);
    recursive<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b, 5);
    return cudaGetLastError();
}
