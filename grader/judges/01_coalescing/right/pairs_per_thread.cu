// expect: PASS
// Thread t takes elements 2t and 2t + 1, one after the other: what a load skips of a sector, the
// next one finds in the L1.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = 2 * (blockIdx.x * (int64_t)blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = a * x[i] + b * y[i];
    if (i + 1 < n)
        out[i + 1] = a * x[i + 1] + b * y[i + 1];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    const int64_t A_BLOCK = 2 * THREADS;
    int64_t blocks = (n + A_BLOCK - 1) / A_BLOCK;
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
