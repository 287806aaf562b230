// expect: SLOW utilization mistake few_blocks
// A grid-stride loop, and far fewer blocks than the multiprocessors can hold.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int MOST_BLOCKS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t thread = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    for (int64_t i = thread; i < n; i += (int64_t)gridDim.x * blockDim.x)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = (n + THREADS - 1) / THREADS;
    blocks = blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
