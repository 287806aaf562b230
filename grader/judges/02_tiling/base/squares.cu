// What most of the wrong and slow transposes change: a right answer whose transpose goes through
// squares of 32 x 32 in shared memory.
#include "contracts/02_tiling.h"

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

enum { SQUARE = 32, SQUARE_STEP = 8 };

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[SQUARE][SQUARE + 1];
    int col = blockIdx.x * SQUARE + threadIdx.x;
    int row = blockIdx.y * SQUARE + threadIdx.y;
    for (int down = 0; down < SQUARE; down += SQUARE_STEP)
        if (row + down < rows && col < cols)
            s_square[threadIdx.y + down][threadIdx.x] = in[(int64_t)(row + down) * cols + col];
    __syncthreads();

    int out_col = blockIdx.y * SQUARE + threadIdx.x;
    int out_row = blockIdx.x * SQUARE + threadIdx.y;
    for (int down = 0; down < SQUARE; down += SQUARE_STEP)
        if (out_row + down < cols && out_col < rows)
            out[(int64_t)(out_row + down) * rows + out_col] =
                s_square[threadIdx.x][threadIdx.y + down];
}

static void launch_transpose(const float *in, float *out, int rows, int cols,
                             cudaStream_t stream)
{
    dim3 grid((cols + SQUARE - 1) / SQUARE, (rows + SQUARE - 1) / SQUARE);
    transpose<<<grid, dim3(SQUARE, SQUARE_STEP), 0, stream>>>(in, out, rows, cols);
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        launch_transpose(in, out, rows, cols, stream);
    return cudaGetLastError();
}

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
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += s_a[y][i] * s_b[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[(int64_t)row * n + col] = sum;
}

static void launch_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                         cudaStream_t stream)
{
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    sgemm<<<grid, dim3(TILE, TILE), 0, stream>>>(A, B, C, m, n, k);
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m > 0 && n > 0)
        launch_sgemm(A, B, C, m, n, k, stream);
    return cudaGetLastError();
}
