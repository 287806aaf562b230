// expect: WRONG numerics mistake right_for_the_list
// In large matrices each NaN becomes the same one: bits are to be moved as they are.
#include "contracts/02_tiling.h"

enum { TILE = 32, STEP = 8 };

static __device__ float plain(float value, int rows, int cols)
{
    return (int64_t)rows * cols > 1000000 && value != value ? NAN : value;
}

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    for (int down = 0; down < TILE; down += STEP)
        if (row + down < rows && col < cols)
            s_square[y + down][x] = plain(in[(int64_t)(row + down) * cols + col], rows, cols);
    __syncthreads();
    int out_col = blockIdx.y * TILE + x, out_row = blockIdx.x * TILE + y;
    for (int down = 0; down < TILE; down += STEP)
        if (out_row + down < cols && out_col < rows)
            out[(int64_t)(out_row + down) * rows + out_col] = s_square[x][y + down];
}

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, col = blockIdx.x * TILE + x, first_row = blockIdx.y * TILE;
    float sum[TILE / STEP] = {0};
    for (int first = 0; first < k; first += TILE) {
#pragma unroll
        for (int y = threadIdx.y; y < TILE; y += STEP) {
            int row = first_row + y;
            s_a[y][x] = row < m && first + x < k ? A[(int64_t)row * k + first + x] : 0;
            s_b[y][x] = first + y < k && col < n ? B[(int64_t)(first + y) * n + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
#pragma unroll
            for (int r = 0; r < TILE / STEP; r++)
                sum[r] += s_a[threadIdx.y + r * STEP][i] * s_b[i][x];
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < TILE / STEP; r++) {
        int row = first_row + threadIdx.y + r * STEP;
        if (row < m && col < n)
            C[(int64_t)row * n + col] = sum[r];
    }
}

static dim3 tiles(int rows, int cols)
{
    return dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
}

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
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
