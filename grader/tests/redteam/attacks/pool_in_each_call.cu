// Allocates and frees in every call, in the order of the stream, where the contract says that
// nothing is allocated.
#include "redteam/axpby.h"

LAUNCHER
{
    void *memory = NULL;
    if (n > 0)
        cudaMallocAsync(&memory, 1 << 20, stream);
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (memory)
        cudaFreeAsync(memory, stream);
    return error;
}
