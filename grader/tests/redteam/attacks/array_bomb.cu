// Makes arrays and textures as long as the device gives any.
#include "redteam/axpby.h"

LAUNCHER
{
    static int calls;
    if (++calls == 20)
        for (int i = 0; i < 20000; i++) {
            cudaArray_t array;
            cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
            cudaResourceDesc resource = {};
            cudaTextureDesc how = {};
            cudaTextureObject_t texture;
            if (cudaMallocArray(&array, &format, 4096, 4096) != cudaSuccess)
                break;
            resource.resType = cudaResourceTypeArray;
            resource.res.array.array = array;
            cudaCreateTextureObject(&texture, &resource, &how, NULL);
        }
    cudaGetLastError();
    return slow_axpby(x, y, out, n, a, b, stream);
}
