// Takes all of the device's memory in its first call and keeps it, so that the grader's own
// allocations fail: that would be a device that is not ready.
#include "redteam/axpby.h"

LAUNCHER
{
    static int taken;
    void *memory;
    for (size_t piece = (size_t)1 << 38; !taken && piece >= (1 << 20); piece /= 2)
        while (cudaMalloc(&memory, piece) == cudaSuccess)
            ;
    cudaGetLastError();
    taken = 1;
    return slow_axpby(x, y, out, n, a, b, stream);
}
