// expect: SLOW counters mistake both_paths
// No branch at all: both kinds are one multiply-add, v * m + c, and m and c are selected.
#include "contracts/03_divergence.h"

static __global__ void gated(const float *x, float *y, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const bool odd = i & 1;
    const float c = odd ? -1.4f : 0.01f;
    float v = x[i];
#pragma unroll 16
    for (int s = 0; s < LESSON3_STEPS; s++)
        v = fmaf(v, odd ? v : 0.99f, c);
    y[i] = v;
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    gated<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}

static __device__ float block_sum(float v)
{
    __shared__ float s_warp[8];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0)
        s_warp[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < 8 ? s_warp[threadIdx.x] : 0.0f;
    if (threadIdx.x < 32)
        for (int d = 4; d; d /= 2)
            v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

static __global__ void __launch_bounds__(256) row_sums(const float *x, float *out, int cols)
{
    const float *row = x + (int64_t)blockIdx.x * cols;
    float sum = 0.0f;
    for (int64_t c = threadIdx.x; c < cols; c += 256)
        sum = fmaf(row[c], row[c], sum);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols, cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    row_sums<<<rows, 256, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
