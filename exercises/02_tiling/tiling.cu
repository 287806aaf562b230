// Lesson 2, tiling. First `make notes`, and read build/notes/02_tiling.html.
// What the launchers must do: common/contracts/02_tiling.h
// Judge it with: make check-lesson2        Stuck? make hint-lesson2
#include "contracts/02_tiling.h"

// Shared memory is a place where the threads of a block can leave things for each other. In
// `transpose`, they hand over what one can read side by side and another can write side by side. In
// `sgemm`, each fetches one element and all of them use it.

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

// quest: begin
// TODO: loads and stores that are both coalesced. Let the block read a tile by rows into shared
// memory, meet, and write it out by the rows of out. Roughly 20 lines.
enum { SQUARE = 32 };

static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * SQUARE + threadIdx.x;
    int row = blockIdx.y * SQUARE + threadIdx.y;
    if (row < rows && col < cols)
        out[(int64_t)col * rows + row] = in[(int64_t)row * cols + col];
}

static void launch_transpose(const float *in, float *out, int rows, int cols,
                             cudaStream_t stream)
{
    dim3 grid((cols + SQUARE - 1) / SQUARE, (rows + SQUARE - 1) / SQUARE);
    transpose<<<grid, dim3(SQUARE, SQUARE), 0, stream>>>(in, out, rows, cols);
}
// quest: end

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        launch_transpose(in, out, rows, cols, stream);
    return cudaGetLastError();
}

// quest: begin
// TODO: each element of A and B that a block fetches serves 32 threads of it, and neighbouring
// threads fetch neighbouring addresses. Roughly 15 lines; look at all lines, they are few.
enum { BLOCK_SIDE = 32 };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    int row = blockIdx.x * BLOCK_SIDE + threadIdx.x;
    int col = blockIdx.y * BLOCK_SIDE + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += A[(int64_t)row * k + i] * B[(int64_t)i * n + col];
    C[(int64_t)row * n + col] = sum;
}

static void launch_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                         cudaStream_t stream)
{
    dim3 grid((m + BLOCK_SIDE - 1) / BLOCK_SIDE, (n + BLOCK_SIDE - 1) / BLOCK_SIDE);
    sgemm<<<grid, dim3(BLOCK_SIDE, BLOCK_SIDE), 0, stream>>>(A, B, C, m, n, k);
}
// quest: end

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m > 0 && n > 0)
        launch_sgemm(A, B, C, m, n, k, stream);
    return cudaGetLastError();
}
