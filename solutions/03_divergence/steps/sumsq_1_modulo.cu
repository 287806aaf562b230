// Row sums, step 1: a tree in which every second thread stops.
//
// A block takes a row; its threads leave one sum each in shared memory. At level d, the threads
// that are multiples of 2d add their right neighbour's. So every warp stays in all eight levels
// for 16, 8, 4, 2 and then 1 of its lanes: this is the exercise as it is handed out.
// Next: sumsq_2_strided.cu
#include "contracts/03_divergence.h"

enum { BLOCK_THREADS = 256 };

static __global__ void row_sumsq(const float *x, float *out, int cols)
{
    __shared__ float s_sum[BLOCK_THREADS];
    const float *row = x + (int64_t)blockIdx.x * cols;

    float sum = 0.0f;
    for (int64_t i = threadIdx.x; i < cols; i += BLOCK_THREADS)
        sum += row[i] * row[i];
    s_sum[threadIdx.x] = sum;
    __syncthreads();
    for (int distance = 1; distance < BLOCK_THREADS; distance *= 2) {
        if (threadIdx.x % (2 * distance) == 0)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + distance];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0];
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    row_sumsq<<<rows, BLOCK_THREADS, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
