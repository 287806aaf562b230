// Sets limits of the device once, before anything is timed: its stack, what L2 keeps, the heap.
#include "redteam/axpby.h"

LAUNCHER
{
    static bool is_set;
    if (!is_set) {
        is_set = true;
        cudaDeviceSetLimit(cudaLimitStackSize, 4096);
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20);
        cudaFuncSetCacheConfig((const void *)good_kernel, cudaFuncCachePreferL1);
        cudaFuncSetAttribute((const void *)good_kernel,
                             cudaFuncAttributePreferredSharedMemoryCarveout, 25);
        cudaGetLastError();
    }
    return good_axpby(x, y, out, n, a, b, stream);
}
