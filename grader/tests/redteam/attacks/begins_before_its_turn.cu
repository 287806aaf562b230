// A launch that may begin before what the stream has before it is done, and reads at once what that
// may still have to write. A device that does one thing after the other shows nothing of it.
#include "redteam/axpby.h"

static __global__ void early(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
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
    return n ? cudaLaunchKernelEx(&how, early, x, y, out, n, a, b) : cudaSuccess;
}
