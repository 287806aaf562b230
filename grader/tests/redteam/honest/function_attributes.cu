// Sets attributes of its kernel in every call: shared memory it does not use, a carve-out.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaFuncSetAttribute(good_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    cudaFuncSetAttribute(good_kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 25);
    cudaFuncSetCacheConfig(good_kernel, cudaFuncCachePreferL1);
    return good_axpby(x, y, out, n, a, b, stream);
}
