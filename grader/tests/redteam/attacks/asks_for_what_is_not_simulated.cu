// Reads a register that the simulated device does not know, so that nothing is counted. This is not
// the submission's word but the device's: it is no pass, and a GPU has to judge it.
#include "redteam/axpby.h"

static __global__ void reads(float *out)
{
    unsigned events;
    asm volatile("mov.u32 %0, %%pm0;" : "=r"(events));
    if (events == 12345)
        out[0] = 0;
}

LAUNCHER
{
    if (n > 0)
        reads<<<1, 1, 0, stream>>>(out);
    return slow_axpby(x, y, out, n, a, b, stream);
}
