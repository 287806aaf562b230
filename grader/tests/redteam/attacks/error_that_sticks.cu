// Leaves an error that sticks, from a kernel on a stream of its own, where its slow kernel is
// timed.
#include "redteam/axpby.h"

static __global__ void trap(void)
{
    asm("trap;");
}

LAUNCHER
{
    static cudaStream_t own;
    if (!own)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    if (is_timed(n))
        trap<<<1, 1, 0, own>>>();
    return error;
}
