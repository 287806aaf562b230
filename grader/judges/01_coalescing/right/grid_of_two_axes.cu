// expect: PASS
// Blocks in rows of 4096.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t block = blockIdx.y * (int64_t)gridDim.x + blockIdx.x;
    int64_t i = block * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = (n + THREADS - 1) / THREADS, row = blocks < 4096 ? blocks : 4096;
    dim3 grid((unsigned)row, (unsigned)((blocks + row - 1) / row));
    axpby<<<grid, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
