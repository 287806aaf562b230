// Row sums, step 2: the threads that still work are neighbours.
//
// Changed: the same tree, but thread t adds places 2dt and 2dt + d. At level d the first 128 / d
// threads work, in whole warps, and the others leave together.
// Expected: fewer warp instructions; but the lanes now stand 2, 4, 8, .. words apart, so 2, 4, 8,
// .. of them meet in a bank: one price is exchanged for another.
// Next: sumsq_3_sequential.cu
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
        int place = 2 * distance * threadIdx.x;
        if (place < BLOCK_THREADS)
            s_sum[place] += s_sum[place + distance];
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
