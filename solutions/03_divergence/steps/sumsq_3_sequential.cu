// Row sums, step 3: neighbours add what neighbours left.
//
// Changed: the tree is walked from the other end. At level d, thread t < d adds place t + d to
// place t, so the lanes of a warp read and write 32 words in a row.
// Expected: no bank conflict; whole warps down to d = 32. The last five levels still switch lanes
// off, and each level still costs a barrier.
// Next: sumsq_4_shuffle.cu
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
    for (int distance = BLOCK_THREADS / 2; distance > 0; distance /= 2) {
        if (threadIdx.x < distance)
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
