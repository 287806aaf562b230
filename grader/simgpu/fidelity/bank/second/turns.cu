/* turns.cu - transpositions of every school, most at the size that the lesson about tiles is timed
 * with (8192 x 8192). */
#include "../bank.h"

/* Lanes along a row of the input: neighbouring loads, stores far apart. */
__global__ void turn_by_input(const float *in, float *out, int rows, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[(size_t)column * rows + row] = in[(size_t)row * columns + column];
}

/* Lanes along a row of the output. */
__global__ void turn_by_output(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[(size_t)column * rows + row] = in[(size_t)row * columns + column];
}

/* A square tile, a thread for each element, with or without a padded row. */
template <int TILE, int PAD>
__global__ void turn_square(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tile[TILE][TILE + PAD];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && column < columns)
        s_tile[threadIdx.y][threadIdx.x] = in[(size_t)row * columns + column];
    __syncthreads();
    row = blockIdx.y * TILE + threadIdx.x;
    column = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && column < columns)
        out[(size_t)column * rows + row] = s_tile[threadIdx.x][threadIdx.y];
}

/* Eight rows of threads for a tile of 32, padded; guards in each turn of the loop. */
__global__ void turn_rows_of_eight(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < rows && column < columns)
            s_tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(row + j) * columns + column];
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    column = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row < rows && column + j < columns)
            out[(size_t)(column + j) * rows + row] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* Columns exchanged by exclusive or instead of padding. */
__global__ void turn_swizzled(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tile[32 * 32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 4) {
        int y = threadIdx.y + j;
        s_tile[y * 32 + (threadIdx.x ^ y)] = in[(size_t)(row + j) * columns + column];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    column = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 4) {
        int x = threadIdx.y + j;
        out[(size_t)(column + j) * rows + row] = s_tile[threadIdx.x * 32 + (x ^ threadIdx.x)];
    }
}

/* Four by four elements a thread, turned in registers. */
__global__ void turn_in_registers(const float *in, float *out, int rows, int columns)
{
    int column = 4 * (blockIdx.x * 16 + threadIdx.x), row = 4 * (blockIdx.y * 16 + threadIdx.y);
    float4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = *(const float4 *)&in[(size_t)(row + j) * columns + column];
    float *to = &out[(size_t)column * rows + row];
    *(float4 *)to = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    *(float4 *)(to + rows) = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    *(float4 *)(to + 2 * (size_t)rows) = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    *(float4 *)(to + 3 * (size_t)rows) = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
}

/* As many blocks as fit at once, each with a list of tiles. */
__global__ void turn_persistent(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tile[32][33];
    int across = columns / 32, tiles = across * (rows / 32);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int column = tile % across * 32, row = tile / across * 32;
        for (int j = threadIdx.y; j < 32; j += 8)
            s_tile[j][threadIdx.x] = in[(size_t)(row + j) * columns + column + threadIdx.x];
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += 8)
            out[(size_t)(column + j) * rows + row + threadIdx.x] = s_tile[threadIdx.x][j];
        __syncthreads();
    }
}

/* Each warp turns a tile of its own, without a barrier of the block. */
__global__ void turn_by_warps(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tiles[4][32][33];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int column = (blockIdx.x * 4 + warp) * 32, row = blockIdx.y * 32;
    float(*s_tile)[33] = s_tiles[warp];
#pragma unroll 8
    for (int j = 0; j < 32; j++)
        s_tile[j][lane] = in[(size_t)(row + j) * columns + column + lane];
    __syncwarp();
#pragma unroll 8
    for (int j = 0; j < 32; j++)
        out[(size_t)(column + j) * rows + row + lane] = s_tile[lane][j];
}

#define TURN(name, grid, block, kernel, rows, columns)                                             \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, data->x, data->out, rows, columns)

static const struct bank_row ROWS[] = {
    TURN("turn_by_input_8192", dim3(256, 256), dim3(32, 32), turn_by_input, 8 * KI, 8 * KI),
    TURN("turn_by_output_4096", dim3(256, 256), dim3(16, 16), turn_by_output, 4 * KI, 4 * KI),
    TURN("turn_by_output_1024", dim3(32, 128), dim3(32, 8), turn_by_output, KI, KI),
    TURN("turn_square_32_8192", dim3(256, 256), dim3(32, 32), (turn_square<32, 0>), 8 * KI, 8 * KI),
    TURN("turn_square_32_padded_8192", dim3(256, 256), dim3(32, 32), (turn_square<32, 1>), 8 * KI,
         8 * KI),
    TURN("turn_square_16_padded_4096", dim3(256, 256), dim3(16, 16), (turn_square<16, 1>), 4 * KI,
         4 * KI),
    TURN("turn_rows_of_eight_8192", dim3(256, 256), dim3(32, 8), turn_rows_of_eight, 8 * KI,
         8 * KI),
    TURN("turn_rows_of_eight_5000x3001", dim3(94, 157), dim3(32, 8), turn_rows_of_eight, 5000,
         3001),
    TURN("turn_swizzled_8192", dim3(256, 256), dim3(32, 4), turn_swizzled, 8 * KI, 8 * KI),
    TURN("turn_in_registers_8192", dim3(128, 128), dim3(16, 16), turn_in_registers, 8 * KI, 8 * KI),
    TURN("turn_persistent_8192", 1056, dim3(32, 8), turn_persistent, 8 * KI, 8 * KI),
    TURN("turn_by_warps_8192", dim3(64, 256), 128, turn_by_warps, 8 * KI, 8 * KI),
};
BANK_FAMILY(turns)
