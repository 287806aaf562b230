// expect: SLOW counters mistake chunk_per_thread
// Each thread walks a stretch of its own, so neighbouring lanes are 256 bytes apart.
#include "contracts/@KEY@.h"

static const int THREADS = 256;
static const int CHUNK = 64;

__global__ void scale(const float *x, float *out, int64_t n, float factor)
{
    int64_t first = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) * CHUNK;
    for (int64_t i = first; i < first + CHUNK && i < n; i++)
        out[i] = factor * x[i];
}

static int64_t blocks_for(int64_t n)
{
    int64_t a_block = THREADS * (int64_t)CHUNK;
    return (n + a_block - 1) / a_block;
}

cudaError_t lesson@NUMBER@_@SLUG@(const float *x, float *out, int64_t n, float factor,
                           cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    scale<<<(unsigned)blocks_for(n), THREADS, 0, stream>>>(x, out, n, factor);
    return cudaGetLastError();
}
