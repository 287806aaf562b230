// Transpose, step 5: 16 bytes a lane, and a swizzle in place of the padding.
//
// Changed: a lane loads and stores float4. Padding would break the alignment of a float4 in shared
// memory; instead, the quads of a row change places: quad q of row r lies at q ^ (r / 4). Rows
// stay 64 words, and still
//
//   storing a row      8 lanes write 8 different quads of it: all 32 banks, once
//   reading a column   8 lanes, 4 rows apart, times 4 columns of one quad:
//
//                        row 4k      quad q ^ k       k = 0 .. 7: 8 different quads, that is
//                        row 4k + 4  quad q ^ (k+1)   8 x 4 = 32 different banks
//
// Expected: a quarter of the memory instructions, and four times the bytes under way for each of
// them. Where a side is no multiple of 4, or a pointer none of 16, rows do not start on a float4.
// Measured on an H200, 8192 x 8192: 3949 GB/s, as step 4: it was bytes under way that lacked, not
// instructions.
// Next: transpose_6_sectors.cu
#include "contracts/02_tiling.h"

enum {
    TILE = 64,
    TILE_QUADS = TILE / 4,
    THREADS = 256,
    WARP_LANES = 32,
    BLOCK_QUAD_ROWS = THREADS / TILE_QUADS, // rows of in that a block loads at once
    WARPS_ACROSS = TILE / 32,               // warps side by side along a row of out
    BLOCK_COLS = THREADS / WARP_LANES / WARPS_ACROSS * 4, // rows of out it stores at once
    BLOCK_ROWS = THREADS / TILE             // of the scalar kernel
};

static __device__ int swizzled(int row, int quad)
{
    return quad ^ (row / 4 % 8);
}

// One quad of in for each thread at a time, then one quad of out.
template <bool AT_EDGE>
static __device__ void move_tile(const float *in, float *out, int rows, int cols,
                                 float4 (*s_tile)[TILE_QUADS])
{
    int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;

    int quad = threadIdx.x % TILE_QUADS, col = first_col + 4 * quad;
#pragma unroll
    for (int down = 0; down < TILE; down += BLOCK_QUAD_ROWS) {
        int row = threadIdx.x / TILE_QUADS + down;
        if (!AT_EDGE || (first_row + row < rows && col < cols))
            s_tile[row][swizzled(row, quad)] =
                *(const float4 *)&in[(int64_t)(first_row + row) * cols + col];
    }
    __syncthreads();

    // A warp takes 8 quads of out, that is 32 rows of in, in 4 neighbouring columns.
    const float *s_word = (const float *)s_tile;
    int row = warp % WARPS_ACROSS * 32 + lane % 8 * 4;
#pragma unroll
    for (int right = 0; right < TILE; right += BLOCK_COLS) {
        int col = warp / WARPS_ACROSS * 4 + lane / 8 + right;
        const float *s_column = s_word + row * TILE + 4 * swizzled(row, col / 4) + col % 4;
        if (!AT_EDGE || (first_col + col < cols && first_row + row < rows))
            *(float4 *)&out[(int64_t)(first_col + col) * rows + first_row + row] =
                make_float4(s_column[0], s_column[TILE], s_column[2 * TILE], s_column[3 * TILE]);
    }
}

static __global__ void transpose_quads(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 s_tile[TILE][TILE_QUADS];
    int right = (blockIdx.x + 1) * TILE, below = (blockIdx.y + 1) * TILE;
    if (right <= cols && below <= rows)
        move_tile<false>(in, out, rows, cols, s_tile);
    else
        move_tile<true>(in, out, rows, cols, s_tile);
}

// Where rows do not start on a multiple of 16 bytes: the padded tile, an element at a time.
static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_tile[TILE][TILE + 1];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int down = 0; down < TILE; down += BLOCK_ROWS)
        if (row + down < rows && col < cols)
            s_tile[threadIdx.y + down][threadIdx.x] = in[(int64_t)(row + down) * cols + col];
    __syncthreads();

    int out_col = blockIdx.y * TILE + threadIdx.x;
    int out_row = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int down = 0; down < TILE; down += BLOCK_ROWS)
        if (out_row + down < cols && out_col < rows)
            out[(int64_t)(out_row + down) * rows + out_col] =
                s_tile[threadIdx.x][threadIdx.y + down];
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (rows < 0 || cols < 0 || rows > LESSON2_LARGEST_SIDE || cols > LESSON2_LARGEST_SIDE)
        return cudaErrorInvalidValue;
    if (rows == 0 || cols == 0)
        return cudaSuccess;
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    bool in_quads = ((uintptr_t)in | (uintptr_t)out) % sizeof(float4) == 0 && rows % 4 == 0 &&
                    cols % 4 == 0;
    if (in_quads)
        transpose_quads<<<grid, THREADS, 0, stream>>>(in, out, rows, cols);
    else
        transpose<<<grid, dim3(TILE, BLOCK_ROWS), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}
