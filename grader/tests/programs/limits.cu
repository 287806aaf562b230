// limits.cu - a device's limits: those that change something, and those that are advice.
#include "program.h"

int main()
{
    size_t bytes;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    EXPECT(bytes >= 4096);
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
    // How many launches by kernels may wait: asked for before kernels that do, and harmless alone.
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
    return 0;
}
