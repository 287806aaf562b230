// expect: PASS
// As many blocks as the device holds go from rows to rows: of 600,000,000 short ones, each block
// takes so many that the simulated device cannot wait for one of them.
#include "contracts/03_divergence.h"

enum { THREADS = 128 };

static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t even = 2 * (blockIdx.x * (int64_t)THREADS + threadIdx.x);
    if (even < n)
        y[even] = lesson3_decay(x[even]);
    if (even + 1 < n)
        y[even + 1] = lesson3_orbit(x[even + 1]);
}

/* A warp for each row, and then for the one as many rows further on as there are warps. */
static __global__ void row_sumsq(const float *x, float *out, int rows, int cols)
{
    int64_t warps = gridDim.x * (int64_t)(THREADS / 32);
    int64_t row = blockIdx.x * (int64_t)(THREADS / 32) + threadIdx.x / 32;
    for (; row < rows; row += warps) {
        float sum = 0;
        for (int col = threadIdx.x % 32; col < cols; col += 32)
            sum = fmaf(x[row * cols + col], x[row * cols + col], sum);
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
        if (threadIdx.x % 32 == 0)
            out[row] = sum;
    }
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    gated<<<(unsigned)((n + 2 * THREADS - 1) / (2 * THREADS)), THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols, cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    unsigned blocks = ((unsigned)rows + THREADS / 32 - 1) / (THREADS / 32);
    blocks = blocks < 16 * 132 ? blocks : 16 * 132;
    row_sumsq<<<blocks, THREADS, 0, stream>>>(x, out, rows, cols);
    return cudaGetLastError();
}
