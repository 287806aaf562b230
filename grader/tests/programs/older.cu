// older.cu - what programs of older courses call: settings that later devices no longer need, and
// questions about a second device, where there may be none.
#include "program.h"

__global__ void touch(int *value)
{
    *value += 1;
}

static void settings(void)
{
    cudaFuncCache cache;
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    CHECK(cudaDeviceGetCacheConfig(&cache));
    CHECK(cudaFuncSetCacheConfig(touch, cudaFuncCachePreferShared));
    cudaSharedMemConfig banks;
    CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    CHECK(cudaDeviceGetSharedMemConfig(&banks));
    EXPECT(banks == cudaSharedMemBankSizeFourByte);
    cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 16, 0, 0, cudaChannelFormatKindFloat);
    EXPECT(channel.x == 32 && channel.y == 16 && channel.f == cudaChannelFormatKindFloat);
}

static void peers(void)
{
    int count, can = 1, value;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
    EXPECT(!can);
    FAILS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    FAILS(cudaDeviceEnablePeerAccess(count, 0), cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) != cudaSuccess);
    cudaGetLastError(); // it is not remembered
}

int main()
{
    int *value;
    settings();
    peers();
    CHECK(cudaMallocManaged(&value, sizeof *value));
    *value = 41;
    touch<<<1, 1>>>(value);
    CHECK(cudaDeviceSynchronize());
    EXPECT(*value == 42);
    printf("older calls still work\n");
    return 0;
}
