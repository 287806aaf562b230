// expect: PASS
// Transposition without a barrier of the block: each warp has a tile of its own.
#include "contracts/02_tiling.h"

enum { TILE = 32, STEP = 8 };

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

static unsigned tiles(int rows, int cols)
{
    return (unsigned)((cols + TILE - 1) / TILE) * (unsigned)((rows + TILE - 1) / TILE);
}

enum { WARPS = 4 };

static __global__ void transpose(const float *in, float *out, int rows, int cols, unsigned tiles)
{
    __shared__ float s_tiles[WARPS][TILE][TILE + 1];
    int lane = threadIdx.x % TILE, warp = threadIdx.x / TILE, wide = (cols + TILE - 1) / TILE;
    unsigned tile = blockIdx.x * WARPS + warp;
    float (*s_tile)[TILE + 1] = s_tiles[warp];
    if (tile >= tiles)
        return;
    int left = tile % wide * TILE, top = tile / wide * TILE;
    bool whole = left + TILE <= cols && top + TILE <= rows;
    float values[TILE];
#pragma unroll
    for (int y = 0; y < TILE; y++)
        if (whole || (top + y < rows && left + lane < cols))
            values[y] = in[(int64_t)(top + y) * cols + left + lane];
#pragma unroll
    for (int y = 0; y < TILE; y++)
        s_tile[y][lane] = values[y];
    __syncwarp();
#pragma unroll
    for (int y = 0; y < TILE; y++)
        if (whole || (left + y < cols && top + lane < rows))
            out[(int64_t)(left + y) * rows + top + lane] = s_tile[lane][y];
}

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int wide = (n + TILE - 1) / TILE;
    int x = threadIdx.x, col = blockIdx.x % wide * TILE + x, top = blockIdx.x / wide * TILE;
    float sum[TILE / STEP] = {0};
    for (int first = 0; first < k; first += TILE) {
#pragma unroll
        for (int y = threadIdx.y; y < TILE; y += STEP) {
            int row = top + y, i = first + y;
            s_a[y][x] = row < m && first + x < k ? A[(int64_t)row * k + first + x] : 0;
            s_b[y][x] = i < k && col < n ? B[(int64_t)i * n + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
#pragma unroll
            for (int part = 0; part < TILE / STEP; part++)
                sum[part] += s_a[threadIdx.y + part * STEP][i] * s_b[i][x];
        __syncthreads();
    }
#pragma unroll
    for (int part = 0; part < TILE / STEP; part++) {
        int row = top + threadIdx.y + part * STEP;
        if (row < m && col < n)
            C[(int64_t)row * n + col] = sum[part];
    }
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    unsigned all = tiles(rows, cols);
    if (all > 0)
        transpose<<<(all + WARPS - 1) / WARPS, WARPS * TILE, 0, stream>>>(in, out, rows, cols, all);
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
