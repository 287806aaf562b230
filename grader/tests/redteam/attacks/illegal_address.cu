// Reads from an address that is no memory at all, which on a GPU ends the context.
#include "redteam/axpby.h"

static __global__ void reads(float *out)
{
    out[0] = *(float *)0x123456789000;
}

LAUNCHER
{
    if (n > 0)
        reads<<<1, 1, 0, stream>>>(out);
    return cudaGetLastError();
}
