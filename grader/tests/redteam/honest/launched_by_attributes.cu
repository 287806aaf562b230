// Launches by cudaLaunchKernelEx with attributes that change no result.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributePriority;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(good_blocks(n));
    how.blockDim = dim3(256);
    how.stream = stream;
    how.attrs = &attribute;
    how.numAttrs = 1;
    return n ? cudaLaunchKernelEx(&how, good_kernel, x, y, out, n, a, b) : cudaSuccess;
}
