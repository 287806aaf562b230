// expect: PASS
// The product with cuda::pipeline: copies and arithmetic of a block overlap over two stages.
#include "contracts/02_tiling.h"

#include <cuda/pipeline>

enum { TILE = 32, STEP = 8 };

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

static unsigned tiles(int rows, int cols)
{
    return (unsigned)((cols + TILE - 1) / TILE) * (unsigned)((rows + TILE - 1) / TILE);
}

// Tiles one after the other, along x, so that no axis of the grid ends.
static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_tile[TILE][TILE + 1];
    int wide = (cols + TILE - 1) / TILE;
    int x = threadIdx.x, left = blockIdx.x % wide * TILE, top = blockIdx.x / wide * TILE;
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += STEP)
        if (top + y < rows && left + x < cols)
            s_tile[y][x] = in[(int64_t)(top + y) * cols + left + x];
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += STEP)
        if (left + y < cols && top + x < rows)
            out[(int64_t)(left + y) * rows + top + x] = s_tile[x][y];
}

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[2][TILE][TILE], s_b[2][TILE][TILE];
    auto pipe = cuda::make_pipeline();
    int wide = (n + TILE - 1) / TILE, x = threadIdx.x;
    int left = blockIdx.x % wide * TILE, top = blockIdx.x / wide * TILE;
    int turns = (k + TILE - 1) / TILE;
    float sum[TILE / STEP] = {0};
    auto fetch = [&](int turn) {
        int first = turn * TILE;
        pipe.producer_acquire();
        for (int y = threadIdx.y; y < TILE; y += STEP) {
            float *to_a = &s_a[turn % 2][y][x], *to_b = &s_b[turn % 2][y][x];
            *to_a = *to_b = 0; // where nothing comes
            if (top + y < m && first + x < k)
                cuda::memcpy_async(to_a, A + (int64_t)(top + y) * k + first + x, 4, pipe);
            if (first + y < k && left + x < n)
                cuda::memcpy_async(to_b, B + (int64_t)(first + y) * n + left + x, 4, pipe);
        }
        pipe.producer_commit();
    };
    if (turns > 0)
        fetch(0);
    for (int turn = 0; turn < turns; turn++) {
        cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads(); // also: nobody uses the other stage any more
        pipe.consumer_release();
        if (turn + 1 < turns)
            fetch(turn + 1);
#pragma unroll
        for (int i = 0; i < TILE; i++)
#pragma unroll
            for (int part = 0; part < TILE / STEP; part++)
                sum[part] += s_a[turn % 2][threadIdx.y + part * STEP][i] * s_b[turn % 2][i][x];
    }
#pragma unroll
    for (int part = 0; part < TILE / STEP; part++) {
        int row = top + threadIdx.y + part * STEP;
        if (row < m && left + x < n)
            C[(int64_t)row * n + left + x] = sum[part];
    }
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        transpose<<<tiles(rows, cols), dim3(TILE, STEP), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m > 0 && n > 0)
        sgemm<<<tiles(m, n), dim3(TILE, STEP), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
