// expect: PASS
// The sums of a block by cub::BlockReduce, as a library's user would write it.
#include <cub/block/block_reduce.cuh>

#include "contracts/03_divergence.h"

// Two ways to waste the lanes of a warp. In `gated`, neighbours want different paths. In
// `row_sumsq`, a tree of additions keeps fewer lanes busy at each level.

enum { WARP_LANES = 32, BLOCK_THREADS = 256, BLOCK_WARPS = BLOCK_THREADS / WARP_LANES };

// A load of two neighbours at once, where the address allows it. All lanes agree on that, so the
// branch costs next to nothing: what hurts is lanes that disagree.
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

// A thread takes an even element and the odd one behind it: two paths, no branch between them,
// and two independent chains for the scheduler to choose from.
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

enum { ROW_THREADS = 128 };

// A block for a row; the sums of its threads meet in CUB.
static __global__ void row_sumsq(const float *x, float *out, int cols)
{
    typedef cub::BlockReduce<float, ROW_THREADS> reduce;
    __shared__ typename reduce::TempStorage s_storage;
    const float *row = x + (int64_t)blockIdx.x * cols;
    bool wide = ((uintptr_t)row / sizeof(float) | cols) % 4 == 0;
    float sum = 0;
    for (int i = threadIdx.x; wide && i < cols / 4; i += ROW_THREADS) {
        float4 v = ((const float4 *)row)[i];
        sum += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
    for (int i = threadIdx.x; !wide && i < cols; i += ROW_THREADS)
        sum += row[i] * row[i];
    sum = reduce(s_storage).Sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

cudaError_t lesson3_row_sumsq(const float *x, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (rows < 0 || cols < 0)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    row_sumsq<<<rows, ROW_THREADS, 0, stream>>>(x, out, cols);
    return cudaGetLastError();
}
