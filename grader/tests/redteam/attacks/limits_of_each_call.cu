// Gives the device another limit in each call, for which a context waits for all its work.
#include "redteam/axpby.h"

LAUNCHER
{
    static size_t calls;
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    calls++;
    cudaDeviceSetLimit(cudaLimitStackSize, 1024 + 1024 * (calls % 60));
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, (1 + calls % 8) << 20);
    return error;
}
