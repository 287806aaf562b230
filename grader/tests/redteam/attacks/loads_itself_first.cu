// Starts its own process anew with itself as a library that is loaded first, so that the runner's
// calls to the runtime end here: kernels are not launched, times are nil.
#include "redteam/axpby.h"

#include <stdlib.h>
#include <unistd.h>

extern "C" cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = 1e-6f;
    return cudaSuccess;
}

__attribute__((constructor)) static void anew(void)
{
    if (getenv("LD_PRELOAD"))
        return;
    setenv("LD_PRELOAD", "/quest/submission.so", 1);
    execl("/proc/self/exe", "runner", "01_coalescing", "/quest/submission.so", (char *)NULL);
}

LAUNCHER
{
    return slow_axpby(x, y, out, n, a, b, stream);
}
