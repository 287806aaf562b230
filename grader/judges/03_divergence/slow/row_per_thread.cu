// expect: SLOW counters line 60 mistake row_per_thread
// A thread takes a whole row, so there is nothing to reduce; but neighbouring lanes read addresses
// a row apart, 32 sectors for 32 floats.
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

static __global__ void row_sumsq(const float *x, float *out, int rows, int cols)
{
    int row = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (row >= rows)
        return;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < cols; i++) {
        float value = x[(int64_t)row * cols + i];
        sum[i % 4] += value * value;
    }
    out[row] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    int blocks = (int)(((int64_t)rows + BLOCK_THREADS - 1) / BLOCK_THREADS);
    row_sumsq<<<blocks, BLOCK_THREADS, 0, stream>>>(x, out, rows, cols);
    return cudaGetLastError();
}
