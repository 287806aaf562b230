// expect: PASS
// Neighbouring blocks lie far apart: the low bits of the number of a block come first.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    unsigned low = blockIdx.x % 8, rows = (gridDim.x + 7) / 8, full = gridDim.x % 8;
    unsigned shorter = full == 0 || low < full ? 0 : low - full;
    unsigned before = low * rows - shorter;
    int64_t i = (before + blockIdx.x / 8) * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
