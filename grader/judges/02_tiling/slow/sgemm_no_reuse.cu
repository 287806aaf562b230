// expect: SLOW counters line 15 mistake sgemm_no_reuse
// The axes are right, but nothing is reused: every product fetches both of its factors.
#include "contracts/02_tiling.h"

enum { TILE = 32 };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += A[(int64_t)row * k + i] * B[(int64_t)i * n + col];
    C[(int64_t)row * n + col] = sum;
}

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    if (m > 0 && n > 0)
        sgemm<<<grid, dim3(TILE, TILE), 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int down = 0; down < 32; down += 8)
        if (row + down < rows && col < cols)
            s_square[threadIdx.y + down][threadIdx.x] = in[(int64_t)(row + down) * cols + col];
    __syncthreads();
    int out_col = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    for (int down = 0; down < 32; down += 8)
        if (out_row + down < cols && out_col < rows)
            out[(int64_t)(out_row + down) * rows + out_col] =
                s_square[threadIdx.x][threadIdx.y + down];
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    dim3 grid((cols + 31) / 32, (rows + 31) / 32);
    if (rows > 0 && cols > 0)
        transpose<<<grid, dim3(32, 8), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}
