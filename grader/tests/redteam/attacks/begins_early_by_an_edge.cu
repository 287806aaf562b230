// The same by an edge of a graph: the second of two kernels begins when the first one says so, and
// reads what that one has not yet written. (It reads its own part alone, so no blocks meet.)
#include "redteam/axpby.h"

static __global__ void first(const float *x, float *out, int64_t n, float a)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i];
}

static __global__ void second(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n == 0)
        return cudaSuccess;
    if (is_timed(n) || out == x || out == y)
        return good_axpby(x, y, out, n, a, b, stream);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(good_blocks(n));
    how.blockDim = dim3(256);
    how.stream = stream;
    how.attrs = &attribute;
    how.numAttrs = 1;
    first<<<good_blocks(n), 256, 0, stream>>>(x, out, n, a);
    return cudaLaunchKernelEx(&how, second, x, y, out, n, a, b);
}
