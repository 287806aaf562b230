// expect: SLOW counters line 12 mistake chunk_per_thread
// Each thread walks its own stretch, as one would for a CPU: lanes are 256 bytes apart.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int CHUNK = 64;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t first = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) * CHUNK;
    for (int64_t i = first; i < first + CHUNK && i < n; i++)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    const int64_t A_BLOCK = THREADS * CHUNK;
    int64_t blocks = (n + A_BLOCK - 1) / A_BLOCK;
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
