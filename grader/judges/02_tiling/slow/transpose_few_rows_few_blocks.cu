// expect: SLOW counters line 21
// Through shared memory, and fast; but a matrix with no more rows than a tile is left to 48
// blocks, so most multiprocessors have nothing to do.
#include "contracts/02_tiling.h"

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

enum { SQUARE = 32, SQUARE_STEP = 8, FEW_ROWS = 32, FEW_BLOCKS = 48 };

// A tile from its place in in to its place in out.
static __device__ void move_tile(const float *in, float *out, int rows, int cols, int first_row,
                                 int first_col)
{
    __shared__ float s_square[SQUARE][SQUARE + 1];
    int col = first_col + threadIdx.x, row = first_row + threadIdx.y;
    for (int down = 0; down < SQUARE; down += SQUARE_STEP)
        if (row + down < rows && col < cols)
            s_square[threadIdx.y + down][threadIdx.x] = in[(int64_t)(row + down) * cols + col];
    __syncthreads();
    col = first_row + threadIdx.x;
    row = first_col + threadIdx.y;
    for (int down = 0; down < SQUARE; down += SQUARE_STEP)
        if (row + down < cols && col < rows)
            out[(int64_t)(row + down) * rows + col] = s_square[threadIdx.x][threadIdx.y + down];
    __syncthreads();
}

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    move_tile(in, out, rows, cols, blockIdx.y * SQUARE, blockIdx.x * SQUARE);
}

static __global__ void transpose_band(const float *in, float *out, int rows, int cols)
{
    for (int first_col = blockIdx.x * SQUARE; first_col < cols; first_col += FEW_BLOCKS * SQUARE)
        move_tile(in, out, rows, cols, 0, first_col);
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    dim3 grid((cols + SQUARE - 1) / SQUARE, (rows + SQUARE - 1) / SQUARE);
    dim3 block(SQUARE, SQUARE_STEP);
    if (rows == 0 || cols == 0)
        return cudaSuccess;
    if (rows <= FEW_ROWS)
        transpose_band<<<FEW_BLOCKS, block, 0, stream>>>(in, out, rows, cols);
    else
        transpose<<<grid, block, 0, stream>>>(in, out, rows, cols);
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
