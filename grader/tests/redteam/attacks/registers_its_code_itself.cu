// Has functions of its own where the runtime's take a program's device code and time its events:
// the runner knows others.
#include "redteam/axpby.h"

#include <stdio.h>

extern "C" void **__cudaRegisterFatBinary(void *)
{
    static void *handle;
    fprintf(stderr, "device code was shown to the submission\n");
    return &handle;
}

extern "C" cudaError_t CUDARTAPI cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = 0.001f;
    return cudaSuccess;
}

LAUNCHER
{
    return slow_axpby(x, y, out, n, a, b, stream);
}
