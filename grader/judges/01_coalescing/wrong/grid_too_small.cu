// expect: WRONG numerics mistake grid_too_small
// A thread takes one element now, and the grid is still that of a chunk for each thread.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int CHUNK = 64;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    unsigned blocks = (unsigned)((n + THREADS * CHUNK - 1) / (THREADS * CHUNK));
    axpby<<<blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
