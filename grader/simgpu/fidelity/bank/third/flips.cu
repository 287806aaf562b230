/* flips.cu - rows become columns, at the size that the lesson about tiles is timed with and at
 * others, and other orders of axes. */
#include "../bank.h"

#include <cuda_pipeline.h>

/* A tile of 64 x 64; a thread moves sixteen words. */
__global__ void flip_64(const float *in, float *out, int rows, int columns)
{
    __shared__ float s_tile[64][65];
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 64 + threadIdx.y;
    for (int j = 0; j < 64; j += 4)
        if (x < columns && y + j < rows)
            s_tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * columns + x];
    __syncthreads();
    x = blockIdx.y * 64 + threadIdx.x;
    y = blockIdx.x * 64 + threadIdx.y;
    for (int j = 0; j < 64; j += 4)
        if (x < rows && y + j < columns)
            out[(size_t)(y + j) * rows + x] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* Vectors in and out; the words of a vector part ways in shared memory. */
__global__ void flip_vectors(const float4 *in, float4 *out, int rows, int columns)
{
    __shared__ float s_tile[64][65];
    int lane = threadIdx.x % 16, line = threadIdx.x / 16;
    for (int j = line; j < 64; j += 16) {
        float4 v = in[((size_t)(blockIdx.y * 64 + j) * columns + blockIdx.x * 64) / 4 + lane];
        s_tile[j][lane * 4] = v.x;
        s_tile[j][lane * 4 + 1] = v.y;
        s_tile[j][lane * 4 + 2] = v.z;
        s_tile[j][lane * 4 + 3] = v.w;
    }
    __syncthreads();
    for (int j = line; j < 64; j += 16)
        out[((size_t)(blockIdx.x * 64 + j) * rows + blockIdx.y * 64) / 4 + lane] =
            make_float4(s_tile[lane * 4][j], s_tile[lane * 4 + 1][j], s_tile[lane * 4 + 2][j],
                        s_tile[lane * 4 + 3][j]);
}

/* Four by four words in a thread's registers; no shared memory. */
__global__ void flip_four_by_four(const float4 *in, float4 *out, int rows, int columns)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    float4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = in[(size_t)(y * 4 + j) * (columns / 4) + x];
    out[(size_t)(x * 4) * (rows / 4) + y] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    out[(size_t)(x * 4 + 1) * (rows / 4) + y] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    out[(size_t)(x * 4 + 2) * (rows / 4) + y] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    out[(size_t)(x * 4 + 3) * (rows / 4) + y] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
}

/* Blocks along the diagonals, so that no two begin at the same columns. */
__global__ void flip_diagonal(const float *in, float *out, int side)
{
    __shared__ float s_tile[32][33];
    int tile_y = blockIdx.x, tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    int x = tile_x * 32 + threadIdx.x, y = tile_y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 16)
        s_tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * side + x];
    __syncthreads();
    x = tile_y * 32 + threadIdx.x;
    y = tile_x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 16)
        out[(size_t)(y + j) * side + x] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* The tile comes by asynchronous copies of a word each. */
__global__ void flip_copied(const float *in, float *out, int side)
{
    __shared__ float s_tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        __pipeline_memcpy_async(&s_tile[threadIdx.y + j][threadIdx.x],
                                &in[(size_t)(y + j) * side + x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(size_t)(y + j) * side + x] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* A tile in dynamic shared memory, its pitch an argument; sides that no tile divides. */
__global__ void flip_any_pitch(const float *in, float *out, int rows, int columns, int pitch)
{
    extern __shared__ float s_tile[];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows)
        s_tile[threadIdx.y * pitch + threadIdx.x] = in[(size_t)y * columns + x];
    __syncthreads();
    x = blockIdx.y * blockDim.y + threadIdx.x;
    y = blockIdx.x * blockDim.x + threadIdx.y;
    if (x < rows && y < columns)
        out[(size_t)y * rows + x] = s_tile[threadIdx.x * pitch + threadIdx.y];
}

/* Halves, a tile of 32 x 32 of them. */
__global__ void flip_halves(const __half *in, __half *out, int side)
{
    __shared__ __half s_tile[32][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        s_tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(size_t)(y + j) * side + x] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* Eight columns become eight rows; reads are vectors. */
__global__ void flip_narrow(const float4 *in, float *out, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float4 u = in[row * 2], v = in[row * 2 + 1];
    const float word[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
    for (int j = 0; j < 8; j++)
        out[j * rows + row] = word[j];
}

/* Pictures by channel become pictures by pixel, one element a thread, by divisions. */
__global__ void channels_last(const float *in, float *out, int channels, int pixels, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int channel = i % channels, pixel = i / channels % pixels, picture = i / channels / pixels;
    out[i] = in[(picture * channels + channel) * pixels + pixel];
}

/* Attention's heads change places with its positions; a row of 64 halves stays whole. */
__global__ void heads_first(const uint4 *in, uint4 *out, int positions, int heads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, part = i % 8, row = i / 8;
    int head = row % heads, position = row / heads % positions, batch = row / heads / positions;
    out[((batch * heads + head) * positions + position) * 8 + part] = in[i];
}

/* A picture of bytes turned by a quarter. */
__global__ void quarter_turn(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + height - 1 - y] = in[y * width + x];
}

#define EACH(name, grid, block, shared_bytes, kernel, ...)                                         \
    BANK_ROW(name, BANK_COLD, grid, block, shared_bytes, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("flip_64_8192", dim3(128, 128), dim3(64, 4), 0, flip_64, data->x, data->out, 8 * KI,
         8 * KI),
    EACH("flip_64_3000x4100", dim3(65, 47), dim3(64, 4), 0, flip_64, data->x, data->out, 3000,
         4100),
    EACH("flip_vectors_8192", dim3(128, 128), 256, 0, flip_vectors, (const float4 *)data->x,
         (float4 *)data->out, 8 * KI, 8 * KI),
    EACH("flip_four_by_four_8192", dim3(256, 64), dim3(8, 32), 0, flip_four_by_four,
         (const float4 *)data->x, (float4 *)data->out, 8 * KI, 8 * KI),
    EACH("flip_diagonal_4096", dim3(128, 128), dim3(32, 16), 0, flip_diagonal, data->x, data->out,
         4 * KI),
    EACH("flip_copied_4096", dim3(128, 128), dim3(32, 8), 0, flip_copied, data->x, data->out,
         4 * KI),
    EACH("flip_any_pitch_2500x3333", dim3(105, 79), dim3(32, 32), 32 * 33 * 4, flip_any_pitch,
         data->x, data->out, 2500, 3333, 33),
    EACH("flip_any_pitch_unpadded_2048", dim3(128, 128), dim3(16, 16), 16 * 16 * 4, flip_any_pitch,
         data->x, data->out, 2 * KI, 2 * KI, 16),
    EACH("flip_halves_4096", dim3(128, 128), dim3(32, 8), 0, flip_halves, data->half_x,
         (__half *)data->out, 4 * KI),
    EACH("flip_narrow_4M", 16 * KI, 256, 0, flip_narrow, (const float4 *)data->x, data->out,
         4 * MI),
    EACH("channels_last_16x48x100x100", 30000, 256, 0, channels_last, data->x, data->out, 48,
         10000, 7680000),
    EACH("heads_first_16x1024x16", 8 * KI, 256, 0, heads_first, (const uint4 *)data->half_x,
         (uint4 *)data->out, KI, 16),
    EACH("quarter_turn_4000x3000", dim3(125, 375), dim3(32, 8), 0, quarter_turn,
         (const unsigned char *)data->x, (unsigned char *)data->out, 4000, 3000),
};
BANK_FAMILY(flips)
