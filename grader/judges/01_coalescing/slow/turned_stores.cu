// expect: SLOW counters line 21 mistake scattered_stores
// Lanes read neighbours, then trade them so that each stores a stretch of its own.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int LANES = 32;

// A block handles a square of LANES * LANES elements: read by rows, written by columns.
__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    __shared__ float square[LANES][LANES + 1];
    int64_t first = blockIdx.x * (int64_t)(LANES * LANES);
    for (int row = threadIdx.x / LANES; row < LANES; row += THREADS / LANES) {
        int64_t i = first + row * LANES + threadIdx.x % LANES;
        square[row][threadIdx.x % LANES] = i < n ? a * x[i] + b * y[i] : 0;
    }
    __syncthreads();
    for (int column = threadIdx.x / LANES; column < LANES; column += THREADS / LANES) {
        int64_t i = first + threadIdx.x % LANES * LANES + column;
        if (i < n)
            out[i] = square[threadIdx.x % LANES][column];
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    const int64_t A_BLOCK = LANES * LANES;
    int64_t blocks = (n + A_BLOCK - 1) / A_BLOCK;
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
