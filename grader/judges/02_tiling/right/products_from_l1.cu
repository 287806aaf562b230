// expect: PASS
// sgemm without shared memory: sums of a thread in registers, the rest from the L1.
#include "contracts/02_tiling.h"

// Shared memory is a place where the threads of a block can leave things for each other. In
// `transpose`, they hand over what one can read side by side and another can write side by side. In
// `sgemm`, each fetches one element and all of them use it.

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

// A block moves a square of 64 x 64, so that a thread has sixteen loads under way before it waits,
// and so that rows of 256 bytes are read and written at a time. In shared memory, rows are 65 words
// apart: then the words of a column lie in different banks, too.
enum { SQUARE = 64, SQUARE_STEP = 4 };

// Only at the edges of the matrix has a thread to ask whether its element exists; everywhere else
// all loads can be under way before the first one is waited for.
template <bool AT_EDGE>
static __device__ void move_square(const float *in, float *out, int rows, int cols,
                                   float (*s_square)[SQUARE + 1])
{
    int col = blockIdx.x * SQUARE + threadIdx.x;
    int row = blockIdx.y * SQUARE + threadIdx.y;
#pragma unroll
    for (int down = 0; down < SQUARE; down += SQUARE_STEP)
        if (!AT_EDGE || (row + down < rows && col < cols))
            s_square[threadIdx.y + down][threadIdx.x] = in[(int64_t)(row + down) * cols + col];
    __syncthreads();

    int out_col = blockIdx.y * SQUARE + threadIdx.x;
    int out_row = blockIdx.x * SQUARE + threadIdx.y;
#pragma unroll
    for (int down = 0; down < SQUARE; down += SQUARE_STEP)
        if (!AT_EDGE || (out_row + down < cols && out_col < rows))
            out[(int64_t)(out_row + down) * rows + out_col] =
                s_square[threadIdx.x][threadIdx.y + down];
}

// All threads of a block find the same answer, so they meet at the same barrier.
static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[SQUARE][SQUARE + 1];
    int right = (blockIdx.x + 1) * SQUARE, below = (blockIdx.y + 1) * SQUARE;
    if (right <= cols && below <= rows)
        move_square<false>(in, out, rows, cols, s_square);
    else
        move_square<true>(in, out, rows, cols, s_square);
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

// No shared memory: a thread has 4 x 4 sums, and loads what it needs of A and B from global memory.
// Threads of a block ask for the same words again and again, and find them in the L1.
enum { TILE = 64, SUMS = 4, ACROSS = TILE / SUMS };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    int row0 = blockIdx.y * TILE + threadIdx.x / ACROSS;
    int col0 = blockIdx.x * TILE + threadIdx.x % ACROSS;
    float sum[SUMS][SUMS] = {};
#pragma unroll 4
    for (int i = 0; i < k; i++) {
        float a[SUMS], b[SUMS];
#pragma unroll
        for (int s = 0; s < SUMS; s++) {
            int row = row0 + s * ACROSS, col = col0 + s * ACROSS;
            a[s] = row < m ? __ldg(&A[(int64_t)row * k + i]) : 0;
            b[s] = col < n ? __ldg(&B[(int64_t)i * n + col]) : 0;
        }
#pragma unroll
        for (int r = 0; r < SUMS; r++)
#pragma unroll
            for (int c = 0; c < SUMS; c++)
                sum[r][c] += a[r] * b[c];
    }
#pragma unroll
    for (int r = 0; r < SUMS; r++)
#pragma unroll
        for (int c = 0; c < SUMS; c++)
            if (row0 + r * ACROSS < m && col0 + c * ACROSS < n)
                C[(int64_t)(row0 + r * ACROSS) * n + col0 + c * ACROSS] = sum[r][c];
}

static void launch_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                         cudaStream_t stream)
{
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    sgemm<<<grid, ACROSS * ACROSS, 0, stream>>>(A, B, C, m, n, k);
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
