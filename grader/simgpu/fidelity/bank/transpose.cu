/* transpose.cu - rows become columns: one side is always against the grain, unless shared memory
 * turns it round; and then its banks decide.
 *
 * Matrices are n x n floats, n a multiple of 32; blocks of 32 x 8 threads move tiles of 32 x 32.
 */
#include "bank.h"

enum { TILE = 32, TILE_ROWS = 8 };

/* No transpose: the same tiles, for comparison. */
__global__ void copy_tiles(const float *in, float *out, int n)
{
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += TILE_ROWS)
        out[(row + j) * n + column] = in[(row + j) * n + column];
}

/* Reads along rows, writes down columns: 32 sectors a store. */
__global__ void transpose_naive_write(const float *in, float *out, int n)
{
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += TILE_ROWS)
        out[column * n + row + j] = in[(row + j) * n + column];
}

/* Reads down columns, writes along rows: 32 sectors a load, but L1 may keep them. */
__global__ void transpose_naive_read(const float *in, float *out, int n)
{
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += TILE_ROWS)
        out[(row + j) * n + column] = in[column * n + row + j];
}

/* Through shared memory. A pitch of 32 puts a column of the tile into one bank: 32 wavefronts;
 * a pitch of 33 puts it into 32 banks. */
template <int PITCH> __global__ void transpose_shared(const float *in, float *out, int n)
{
    __shared__ float s_tile[TILE][PITCH];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += TILE_ROWS)
        s_tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * n + column];
    __syncthreads();
    column = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += TILE_ROWS)
        out[(row + j) * n + column] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* No padding: the column is mixed with the row, so each bank holds one word of every column. */
__global__ void transpose_swizzled(const float *in, float *out, int n)
{
    __shared__ float s_tile[TILE][TILE];
    int x = threadIdx.x, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + threadIdx.y;
    for (int j = threadIdx.y; j < TILE; j += TILE_ROWS)
        s_tile[j][x ^ j] = in[(row + j - threadIdx.y) * n + column];
    __syncthreads();
    column = blockIdx.y * TILE + x;
    row = blockIdx.x * TILE;
    for (int j = threadIdx.y; j < TILE; j += TILE_ROWS)
        out[(row + j) * n + column] = s_tile[x][j ^ x];
}

/* 16 bytes a lane on both sides; 8 x 32 threads move a tile of 32 x 32. */
__global__ void transpose_float4(const float *in, float *out, int n)
{
    __shared__ float s_tile[TILE][TILE + 1];
    int x = threadIdx.x * 4, y = threadIdx.y;
    int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float4 v = *(const float4 *)&in[row * n + column];
    s_tile[y][x] = v.x;
    s_tile[y][x + 1] = v.y;
    s_tile[y][x + 2] = v.z;
    s_tile[y][x + 3] = v.w;
    __syncthreads();
    column = blockIdx.y * TILE + x;
    row = blockIdx.x * TILE + y;
    *(float4 *)&out[row * n + column] =
        make_float4(s_tile[x][y], s_tile[x + 1][y], s_tile[x + 2][y], s_tile[x + 3][y]);
}

#define TILES(name, kernel, n)                                                                     \
    BANK_ROW(name, BANK_COLD, dim3(n / TILE, n / TILE), dim3(TILE, TILE_ROWS), 0, kernel, data->x, \
             data->out, n)

static const struct bank_row ROWS[] = {
    TILES("copy_tiles_2048", copy_tiles, 2048),
    TILES("transpose_naive_write_2048", transpose_naive_write, 2048),
    TILES("transpose_naive_read_2048", transpose_naive_read, 2048),
    TILES("transpose_shared_conflicts_2048", transpose_shared<32>, 2048),
    TILES("transpose_shared_padded_2048", transpose_shared<33>, 2048),
    TILES("transpose_swizzled_2048", transpose_swizzled, 2048),
    BANK_ROW("transpose_float4_2048", BANK_COLD, dim3(64, 64), dim3(8, 32), 0, transpose_float4,
             data->x, data->out, 2048),
    TILES("transpose_naive_write_4096", transpose_naive_write, 4096),
    TILES("transpose_shared_conflicts_4096", transpose_shared<32>, 4096),
    TILES("transpose_shared_padded_4096", transpose_shared<33>, 4096),
};
BANK_FAMILY(transpose)
