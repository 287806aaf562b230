// What most of wrong/sgemm_... change: a product by tiles of 32 x 32 in shared memory, and a
// transpose by the same. It refuses no size: its mistakes are found before any size is refused.
#include "contracts/02_tiling.h"

enum { TILE = 32 };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
        s_a[y][x] = row < m && first + x < k ? A[(int64_t)row * k + first + x] : 0;
        s_b[y][x] = first + y < k && col < n ? B[(int64_t)(first + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += s_a[y][i] * s_b[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[(int64_t)row * n + col] = sum;
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
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
    dim3 grid((cols + 31) / 32, (rows + 31) / 32);
    if (rows > 0 && cols > 0)
        transpose<<<grid, dim3(32, 8), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}
