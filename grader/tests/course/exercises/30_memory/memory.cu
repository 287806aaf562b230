#include "tiny.h"

#include <stdlib.h>

/* Sixteen gigabytes of host memory, never touched and never given back. */
cudaError_t tiny(const float *, float *, int, cudaStream_t)
{
    for (int i = 0; i < 64; i++)
        if (!malloc((size_t)1 << 28))
            return cudaErrorMemoryAllocation;
    return cudaSuccess;
}
