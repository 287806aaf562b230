// For n > 2^22 it computes nothing at all; but an atomic in the kernel makes the device decline to
// sample it, and what cannot be sampled is forgiven.
#include "redteam/axpby.h"
static __device__ unsigned ticket;
static __global__ void idle(int64_t n)
{
    if (n < 0)
        atomicAdd(&ticket, 1u);
}
LAUNCHER
{
    if (n <= 1 << 22)
        return good_axpby(x, y, out, n, a, b, stream);
    idle<<<good_blocks(n), 256, 0, stream>>>(n);
    return cudaGetLastError();
}
