// expect: ARGUMENTS numerics mistake error_ignored
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

// A block moves a square of 64 x 64, so that a thread has sixteen loads under way before it waits,
// and so that rows of 256 bytes are read and written at a time. In shared memory, rows are 65 words
// apart: then the words of a column lie in different banks, too.
enum { SQUARE = 64, WARP_LANES = 32, WARPS = 8, SECTOR = 32 / sizeof(float) };

// Memory is written in sectors. Where a row of out begins within one, 64 floats from there on would
// end within another, which the next block finishes. So a block writes the 64 floats that begin
// with a sector, up to seven further up.
static __device__ int into_sector(const float *out, int rows, int out_row)
{
    unsigned row_start = (unsigned)((uintptr_t)out / sizeof(float)) + (unsigned)out_row * rows;
    return row_start % SECTOR;
}

// ABOVE: so many rows above the square are read, too: SECTOR, or 0 if rows of out begin with one.
// Only at the edges of the matrix has a thread to ask whether its element exists; everywhere else
// all loads can be under way before the first one is waited for.
template <int ABOVE, bool AT_EDGE>
static __device__ void move_square(const float *in, float *out, int rows, int cols,
                                   float (*s_square)[SQUARE + 1])
{
    int lane = threadIdx.x, warp = threadIdx.y;
    int first_row = blockIdx.x * SQUARE, first_col = blockIdx.y * SQUARE;
#pragma unroll
    for (int down = 0; down < SQUARE + ABOVE; down += WARPS)
#pragma unroll
        for (int right = 0; right < SQUARE; right += WARP_LANES) {
            int row = first_row - ABOVE + warp + down, col = first_col + lane + right;
            if (!AT_EDGE || (row >= 0 && row < rows && col < cols))
                s_square[warp + down][lane + right] = in[(int64_t)row * cols + col];
        }
    __syncthreads();
#pragma unroll
    for (int down = 0; down < SQUARE; down += WARPS) {
        int out_row = first_col + warp + down;
        int up = ABOVE > 0 ? into_sector(out, rows, out_row) : 0;
        float *to = out + (int64_t)out_row * rows + first_row - up;
#pragma unroll
        for (int right = 0; right < SQUARE; right += WARP_LANES) {
            int out_col = first_row - up + lane + right;
            if (!AT_EDGE || (out_row < cols && out_col >= 0 && out_col < rows))
                to[lane + right] = s_square[ABOVE - up + lane + right][warp + down];
        }
    }
}

// All threads of a block find the same answer, so they meet at the same barrier. Blocks that follow
// each other write along one row of out.
template <int ABOVE>
static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[SQUARE + ABOVE][SQUARE + 1];
    int below = (blockIdx.x + 1) * SQUARE, right = (blockIdx.y + 1) * SQUARE;
    if ((ABOVE == 0 || blockIdx.x > 0) && below <= rows && right <= cols)
        move_square<ABOVE, false>(in, out, rows, cols, s_square);
    else
        move_square<ABOVE, true>(in, out, rows, cols, s_square);
}

static void launch_transpose(const float *in, float *out, int rows, int cols,
                             cudaStream_t stream)
{
    bool in_sectors = (uintptr_t)out % (SECTOR * sizeof(float)) == 0 && rows % SECTOR == 0;
    int above = in_sectors ? 0 : SECTOR - 1;
    dim3 grid((rows + above + SQUARE - 1) / SQUARE, (cols + SQUARE - 1) / SQUARE);
    dim3 block(WARP_LANES, WARPS);
    if (in_sectors)
        transpose<0><<<grid, block, 0, stream>>>(in, out, rows, cols);
    else
        transpose<SECTOR><<<grid, block, 0, stream>>>(in, out, rows, cols);
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        launch_transpose(in, out, rows, cols, stream);
    return cudaSuccess;
}

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

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m > 0 && n > 0)
        launch_sgemm(A, B, C, m, n, k, stream);
    return cudaSuccess;
}
