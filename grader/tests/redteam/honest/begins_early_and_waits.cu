// A launch that may begin before its turn, works out its indices, and waits before it reads.
#include "redteam/axpby.h"

static __global__ void waits(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    for (; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(good_blocks(n));
    how.blockDim = dim3(256);
    how.stream = stream;
    how.attrs = &attribute;
    how.numAttrs = 1;
    return n ? cudaLaunchKernelEx(&how, waits, x, y, out, n, a, b) : cudaSuccess;
}
