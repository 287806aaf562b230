// Asks for clusters of two blocks.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3((good_blocks(n) + 1) / 2 * 2);
    how.blockDim = dim3(256);
    how.stream = stream;
    how.attrs = &attribute;
    how.numAttrs = 1;
    return n ? cudaLaunchKernelEx(&how, good_kernel, x, y, out, n, a, b) : cudaSuccess;
}
