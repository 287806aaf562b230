// Touches one byte of each page of 100 GiB of device memory, which is this machine's: a page is
// made for each.
#include "redteam/axpby.h"

static __global__ void touch(char *memory, size_t bytes)
{
    size_t step = (size_t)gridDim.x * blockDim.x * 4096;
    for (size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4096; at < bytes; at += step)
        memory[at] = 1;
}

LAUNCHER
{
    static int calls;
    const size_t BYTES = (size_t)100 << 30;
    void *memory;
    if (++calls == 3 && cudaMalloc(&memory, BYTES) == cudaSuccess)
        touch<<<1024, 256, 0, stream>>>((char *)memory, BYTES);
    return good_axpby(x, y, out, n, a, b, stream);
}
