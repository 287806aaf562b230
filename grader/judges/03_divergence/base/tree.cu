// What the wrong and slow trees change: a right answer whose sums meet in a tree in shared memory,
// with neighbouring threads at work on neighbouring words.
#include "contracts/03_divergence.h"

enum { WARP_LANES = 32, BLOCK_THREADS = 256, BLOCK_WARPS = BLOCK_THREADS / WARP_LANES };

static __device__ float2 load_pair(const float *x, int64_t even, int64_t n)
{
    if ((uintptr_t)x % sizeof(float2) == 0 && even + 1 < n)
        return *(const float2 *)(x + even);
    return make_float2(x[even], even + 1 < n ? x[even + 1] : 0.0f);
}

static __device__ void store_pair(float *y, int64_t even, int64_t n, float2 pair)
{
    if ((uintptr_t)y % sizeof(float2) == 0 && even + 1 < n) {
        *(float2 *)(y + even) = pair;
        return;
    }
    y[even] = pair.x;
    if (even + 1 < n)
        y[even + 1] = pair.y;
}

static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t even = 2 * ((int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x);
    if (even >= n)
        return;
    float2 pair = load_pair(x, even, n);
    pair.x = lesson3_decay(pair.x);
    pair.y = lesson3_orbit(pair.y);
    store_pair(y, even, n, pair);
}

static int64_t blocks_for(int64_t n)
{
    const int64_t block_elements = 2 * BLOCK_THREADS;
    return (n + block_elements - 1) / block_elements;
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    gated<<<(unsigned)blocks_for(n), BLOCK_THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}

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
