// What wrong/ and slow/ change where a launch is at fault, or an edge: a right answer with its
// tiles one after the other along x, and four rows of a tile a thread.
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
