/* axes.cu - matrices turned over their diagonal, and other orders of axes. */
#include "../bank.h"

/* Reads along rows, writes down columns. */
__global__ void turned_naively(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols)
        out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
}

/* Reads down columns, writes along rows. */
__global__ void turned_by_writes(const float *in, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols)
        out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
}

/* A tile of 32 x 32 with rows of PITCH words: 32 of them conflict, 33 do not. */
template <int PITCH> __global__ void turned_in_shared(const float *in, float *out, int rows,
                                                      int cols)
{
    __shared__ float tile[32][PITCH];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (r + j < rows && c < cols)
            tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(r + j) * cols + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x;
    r = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (r + j < cols && c < rows)
            out[(size_t)(r + j) * rows + c] = tile[threadIdx.x][threadIdx.y + j];
}

/* No padding: the column is turned by the row's number instead. */
__global__ void turned_swizzled(const float *in, float *out, int n)
{
    __shared__ float tile[32 * 32];
    int x = threadIdx.x, y = threadIdx.y;
    const float *from = in + (size_t)blockIdx.y * 32 * n + blockIdx.x * 32;
    float *to = out + (size_t)blockIdx.x * 32 * n + blockIdx.y * 32;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        tile[(y + j) * 32 + (x ^ (y + j))] = from[(size_t)(y + j) * n + x];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        to[(size_t)(y + j) * n + x] = tile[x * 32 + (x ^ (y + j))];
}

/* Four by four floats in a thread's registers: reads and writes are float4. */
__global__ void turned_in_registers(const float *in, float *out, int n)
{
    int c = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int r = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
    float4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = *(const float4 *)&in[(size_t)(r + j) * n + c];
    *(float4 *)&out[(size_t)c * n + r] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    *(float4 *)&out[(size_t)(c + 1) * n + r] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    *(float4 *)&out[(size_t)(c + 2) * n + r] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    *(float4 *)&out[(size_t)(c + 3) * n + r] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
}

/* A tile of 64 x 64 that is read and written by float4, padded by one word. */
__global__ void turned_by_float4(const float *in, float *out, int n)
{
    __shared__ float tile[64][65];
    int quad = threadIdx.x % 16, line = threadIdx.x / 16;
    const float *from = in + (size_t)blockIdx.y * 64 * n + blockIdx.x * 64;
    float *to = out + (size_t)blockIdx.x * 64 * n + blockIdx.y * 64;
    for (int r = line; r < 64; r += 16) {
        float4 v = *(const float4 *)&from[(size_t)r * n + 4 * quad];
        tile[r][4 * quad] = v.x;
        tile[r][4 * quad + 1] = v.y;
        tile[r][4 * quad + 2] = v.z;
        tile[r][4 * quad + 3] = v.w;
    }
    __syncthreads();
    for (int r = line; r < 64; r += 16)
        *(float4 *)&to[(size_t)r * n + 4 * quad] = make_float4(
            tile[4 * quad][r], tile[4 * quad + 1][r], tile[4 * quad + 2][r], tile[4 * quad + 3][r]);
}

/* A warp turns 32 x 32 by shuffles alone: five exchanges of half the registers. */
__global__ void turned_by_shuffles(const float *in, float *out, int n)
{
    int lane = threadIdx.x, tile_r = blockIdx.y * blockDim.y + threadIdx.y;
    const float *from = in + (size_t)tile_r * 32 * n + blockIdx.x * 32;
    float *to = out + (size_t)blockIdx.x * 32 * n + tile_r * 32;
    float v[32];
#pragma unroll
    for (int j = 0; j < 32; j++)
        v[j] = from[(size_t)j * n + lane];
#pragma unroll
    for (int bit = 1; bit < 32; bit *= 2)
#pragma unroll
        for (int j = 0; j < 32; j++)
            if (!(j & bit)) {
                float mine = lane & bit ? v[j] : v[j | bit];
                float theirs = __shfl_xor_sync(~0u, mine, bit);
                if (lane & bit)
                    v[j] = theirs;
                else
                    v[j | bit] = theirs;
            }
#pragma unroll
    for (int j = 0; j < 32; j++)
        to[(size_t)j * n + lane] = v[j];
}

/* Heads and time change places, as before attention: (B, T, H, D) to (B, H, T, D). */
__global__ void heads_before_time(const float4 *in, float4 *out, int T, int H, int D4)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int d = i % D4, h = i / D4 % H, t = i / (D4 * H) % T, b = i / (D4 * H * T);
    out[((b * H + h) * T + t) * D4 + d] = in[i];
}

/* Interleaved channels to planes. */
__global__ void to_planes(const float *in, float *out, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    for (int c = 0; c < 3; c++)
        out[c * pixels + i] = in[3 * i + c];
}

#define SQUARES(n) dim3((n) / 32, (n) / 32), dim3(32, 8)
#define TURN(name, ...) BANK_ROW(name, BANK_COLD, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    TURN("turned_naively_1024", dim3(32, 128), dim3(32, 8), 0, turned_naively, data->x, data->out,
         1024, 1024),
    TURN("turned_naively_2048_of_16x16", dim3(128, 128), dim3(16, 16), 0, turned_naively, data->x,
         data->out, 2048, 2048),
    TURN("turned_by_writes_2048", dim3(64, 256), dim3(32, 8), 0, turned_by_writes, data->x,
         data->out, 2048, 2048),
    TURN("turned_in_shared_1024", SQUARES(1024), 0, turned_in_shared<33>, data->x, data->out, 1024,
         1024),
    TURN("turned_in_shared_4096", SQUARES(4096), 0, turned_in_shared<33>, data->x, data->out, 4096,
         4096),
    TURN("turned_in_shared_unpadded_2048", SQUARES(2048), 0, turned_in_shared<32>, data->x,
         data->out, 2048, 2048),
    TURN("turned_in_shared_3000x1777", dim3(56, 94), dim3(32, 8), 0, turned_in_shared<33>, data->x,
         data->out, 3000, 1777),
    TURN("turned_swizzled_4096", SQUARES(4096), 0, turned_swizzled, data->x, data->out, 4096),
    TURN("turned_in_registers_4096", dim3(128, 64), dim3(8, 16), 0, turned_in_registers, data->x,
         data->out, 4096),
    TURN("turned_by_float4_8192", dim3(128, 128), 256, 0, turned_by_float4, data->x, data->out,
         8192),
    TURN("turned_by_float4_1024", dim3(16, 16), 256, 0, turned_by_float4, data->x, data->out, 1024),
    TURN("turned_by_shuffles_4096", dim3(128, 32), dim3(32, 4), 0, turned_by_shuffles, data->x,
         data->out, 4096),
    TURN("heads_before_time_8x512x12x64", 3072, 256, 0, heads_before_time, (const float4 *)data->x,
         (float4 *)data->out, 512, 12, 16),
    TURN("to_planes_4_megapixels", 16 * KI, 256, 0, to_planes, data->x, data->out, 4 * MI),
};
BANK_FAMILY(axes)
