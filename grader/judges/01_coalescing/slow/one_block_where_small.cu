// expect: SLOW counters line 13
// Fast from 2^18 elements on. Fewer are all left to one block, so the other multiprocessors have
// nothing to do.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int64_t SMALL = 1 << 18;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t threads = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += threads)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = n <= SMALL ? 1 : (n + THREADS - 1) / THREADS;
    if (blocks > INT32_MAX)
        blocks = INT32_MAX;
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
