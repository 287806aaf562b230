// Transpose, step 6: whole sectors, wherever rows begin.
//
// Changed: where rows of out have an odd length, every row begins at another place within a sector
// of 32 bytes, and 64 floats from there on touch nine sectors, two of them in part. Each of these
// is finished by another block, later, and until then the cache holds a piece that no write to
// memory can use. So of each row of out a block writes the 64 floats that begin with a sector: up
// to seven further up, and it reads eight more rows of in to have them. Blocks that follow each
// other write along one row of out. Both kinds of sides take the same road, so the float4 of step 5
// are gone: they had gained nothing.
// Expected: odd sides nearly as fast as even ones.
// Measured on an H200, as a ratio to a copy in the same run: 8191 x 8193 at 0.91 (step 5: 0.61),
// 8192 x 8192 at 0.96 (0.93).
#include "contracts/02_tiling.h"

enum {
    TILE = 64,
    WARP_LANES = 32,
    WARPS = 8,
    SECTOR = 32 / sizeof(float),
};

// out is written from a sector on: so many floats before the place where the tile would begin.
static __device__ int before_tile(const float *out, int rows, int out_row)
{
    unsigned row_start = (unsigned)((uintptr_t)out / sizeof(float)) + (unsigned)out_row * rows;
    return row_start % SECTOR;
}

// ABOVE: so many rows above the tile are read, too: SECTOR, or 0 if all rows of out begin with one.
template <int ABOVE, bool AT_EDGE>
static __device__ void move_tile(const float *in, float *out, int rows, int cols,
                                 float (*s_tile)[TILE + 1])
{
    int lane = threadIdx.x, warp = threadIdx.y;
    int first_col = blockIdx.y * TILE, first_row = blockIdx.x * TILE;
#pragma unroll
    for (int down = 0; down < TILE + ABOVE; down += WARPS)
#pragma unroll
        for (int right = 0; right < TILE; right += WARP_LANES) {
            int row = first_row - ABOVE + warp + down, col = first_col + lane + right;
            if (!AT_EDGE || (row >= 0 && row < rows && col < cols))
                s_tile[warp + down][lane + right] = in[(int64_t)row * cols + col];
        }
    __syncthreads();
#pragma unroll
    for (int down = 0; down < TILE; down += WARPS) {
        int out_row = first_col + warp + down;
        int before = ABOVE > 0 ? before_tile(out, rows, out_row) : 0;
        float *to = out + (int64_t)out_row * rows + first_row - before;
#pragma unroll
        for (int right = 0; right < TILE; right += WARP_LANES) {
            int out_col = first_row - before + lane + right;
            if (!AT_EDGE || (out_row < cols && out_col >= 0 && out_col < rows))
                to[lane + right] = s_tile[ABOVE - before + lane + right][warp + down];
        }
    }
}

template <int ABOVE>
static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_tile[TILE + ABOVE][TILE + 1];
    int below = (blockIdx.x + 1) * TILE, right = (blockIdx.y + 1) * TILE;
    bool inside = (ABOVE == 0 || blockIdx.x > 0) && below <= rows && right <= cols;
    if (inside)
        move_tile<ABOVE, false>(in, out, rows, cols, s_tile);
    else
        move_tile<ABOVE, true>(in, out, rows, cols, s_tile);
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (rows < 0 || cols < 0 || rows > LESSON2_LARGEST_SIDE || cols > LESSON2_LARGEST_SIDE)
        return cudaErrorInvalidValue;
    if (rows == 0 || cols == 0)
        return cudaSuccess;
    bool in_sectors = (uintptr_t)out % (SECTOR * sizeof(float)) == 0 && rows % SECTOR == 0;
    int above = in_sectors ? 0 : SECTOR - 1; // the furthest that a tile may begin before its place
    dim3 grid((rows + above + TILE - 1) / TILE, (cols + TILE - 1) / TILE), block(WARP_LANES, WARPS);
    if (in_sectors)
        transpose<0><<<grid, block, 0, stream>>>(in, out, rows, cols);
    else
        transpose<SECTOR><<<grid, block, 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}
