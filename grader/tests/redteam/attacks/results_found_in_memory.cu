// Takes device memory, in which a reference may have left its results, and copies what it finds.
// Expected values are never on the device.
#include "redteam/axpby.h"

static __device__ unsigned found;

static __global__ void look(const float *memory, int64_t words, float *out, int64_t n)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < words; i += gridDim.x * 256LL)
        if (memory[i] != 0)
            atomicAdd(&found, 1);
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = found ? memory[i] : 0;
}

LAUNCHER
{
    static float *memory;
    const int64_t WORDS = 1 << 24;
    if (!memory && cudaMalloc(&memory, WORDS * sizeof *memory) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    if (n > 0)
        look<<<1024, 256, 0, stream>>>(memory, is_timed(n) ? n < WORDS ? n : WORDS : n, out, n);
    return cudaGetLastError();
}
