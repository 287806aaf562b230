// cudaFree waits for the device: what was allocated when it was loaded is freed, one in each call.
#include "redteam/axpby.h"

enum { KEPT = 400 };
static void *kept[KEPT];
static int freed;

static __attribute__((constructor)) void allocate()
{
    for (auto &memory : kept)
        cudaMalloc(&memory, 512);
}

LAUNCHER
{
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (n && freed < KEPT)
        cudaFree(kept[freed++]);
    return error;
}
