// Lesson 3, warp divergence. First `make notes`, and read build/notes/03_divergence.html.
// What the launchers must do: common/contracts/03_divergence.h
// Judge it with: make check-lesson3        Stuck? make hint-lesson3
#include "contracts/03_divergence.h"

// Two ways to waste the lanes of a warp. In `gated`, neighbours want different paths. In
// `row_sumsq`, a tree of additions keeps fewer lanes busy at each level.

enum { WARP_LANES = 32, BLOCK_THREADS = 256, BLOCK_WARPS = BLOCK_THREADS / WARP_LANES };

// quest: begin
// TODO: no warp executes a path for lanes that want the other one, and memory is still read and
// written side by side. Roughly 10 lines, 25 with both accesses vectorised.
static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= n)
        return;
    if (i % 2 == 0)
        y[i] = lesson3_decay(x[i]);
    else
        y[i] = lesson3_orbit(x[i]);
}

static int64_t blocks_for(int64_t n)
{
    const int64_t block_elements = BLOCK_THREADS;
    return (n + block_elements - 1) / block_elements;
}
// quest: end

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    gated<<<(unsigned)blocks_for(n), BLOCK_THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}

// quest: begin
// TODO: add up the threads' sums without idle lanes or bank conflicts. Roughly 15 lines;
// __shfl_down_sync is the tool, and does without a barrier a level.
enum { ROW_THREADS = 256 };

static __global__ void row_sumsq(const float *x, float *out, int cols)
{
    __shared__ float s_sum[ROW_THREADS];
    const float *row = x + (int64_t)blockIdx.x * cols;

    float sum = 0.0f;
    for (int64_t i = threadIdx.x; i < cols; i += ROW_THREADS)
        sum += row[i] * row[i];
    s_sum[threadIdx.x] = sum;
    __syncthreads();
    for (int distance = 1; distance < ROW_THREADS; distance *= 2) {
        if (threadIdx.x % (2 * distance) == 0)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + distance];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0];
}
// quest: end

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
