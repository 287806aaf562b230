#include "tiny.h"

#include <cstdio>

cudaError_t tiny(const float *, float *, int, cudaStream_t)
{
    fputs("simgpu: 'mov.u32' is not supported by the simulated device\n", stderr);
    return cudaErrorNotSupported;
}
