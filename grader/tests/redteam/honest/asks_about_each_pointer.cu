// Asks of each pointer what memory it is, and whether the stream's device is the current one.
#include "redteam/axpby.h"

LAUNCHER
{
    const void *all[] = {x, y, out};
    int device = -1;
    for (int i = 0; n > 0 && i < 3; i++) {
        cudaPointerAttributes of;
        cudaError_t error = cudaPointerGetAttributes(&of, all[i]);
        if (error != cudaSuccess || of.type != cudaMemoryTypeDevice || of.devicePointer != all[i])
            return cudaErrorInvalidValue;
        cudaGetDevice(&device);
        if (of.device != device)
            return cudaErrorInvalidDevice;
    }
    return good_axpby(x, y, out, n, a, b, stream);
}
