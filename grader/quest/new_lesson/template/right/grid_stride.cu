// expect: PASS
// A grid-stride loop: right and fast by another road.
#include "contracts/@KEY@.h"

static const int THREADS = 512;
static const int64_t MOST_BLOCKS = 1 << 20;

__global__ void scale(const float *x, float *out, int64_t n, float factor)
{
    int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = factor * x[i];
}

static int64_t blocks_for(int64_t n)
{
    int64_t blocks = (n + THREADS - 1) / THREADS;
    return blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

cudaError_t lesson@NUMBER@_@SLUG@(const float *x, float *out, int64_t n, float factor,
                           cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    scale<<<(unsigned)blocks_for(n), THREADS, 0, stream>>>(x, out, n, factor);
    return cudaGetLastError();
}
