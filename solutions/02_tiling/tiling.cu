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
// A block computes a tile of C, 32 x 32. It walks along k in tiles of A and B of the same size;
// each of its threads fetches one element of both, and uses 32 of both that others have fetched.
//
//          k                     n
//      +---#---+             +---#---+          # the tiles of one turn
//    m |---#---|    x      k #########    =     C: each thread of the block keeps one sum
//      +---#---+             +---#---+
enum { TILE = 32 };

static __global__ void sgemm(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
        // What lies outside is 0, so that its products add nothing.
        s_a[y][x] = row < m && first + x < k ? A[(int64_t)row * k + first + x] : 0;
        s_b[y][x] = first + y < k && col < n ? B[(int64_t)(first + y) * n + col] : 0;
        __syncthreads(); // the tiles are whole
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += s_a[y][i] * s_b[i][x];
        __syncthreads(); // nobody needs them any more
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
