// Writes to each line of 32 GiB, from more blocks than run at once: what the device notes about who
// touched a line last, and which bytes were written, is more than the lines themselves.
#include "redteam/axpby.h"

static __global__ void touch(unsigned *lines, unsigned count)
{
    unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line < count)
        lines[line * 32ULL] = line;
}

LAUNCHER
{
    static int calls;
    const size_t BYTES = (size_t)32 << 30;
    void *memory;
    if (++calls == 2 && cudaMalloc(&memory, BYTES) == cudaSuccess)
        touch<<<BYTES / 128 / 1024, 1024, 0, stream>>>((unsigned *)memory, BYTES / 128);
    return good_axpby(x, y, out, n, a, b, stream);
}
