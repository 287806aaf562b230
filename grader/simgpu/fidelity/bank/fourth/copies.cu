/* copies.cu - elements that only change places: transposes of odd shapes, axes, halves of pairs. */
#include "../bank.h"

#include <cstdint>

/* Rows of one pitch become rows of another. */
__global__ void copy_pitched(const float *src, int src_pitch, float *dst, int dst_pitch, int width)
{
    int row = blockIdx.y;
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < width; c += gridDim.x * blockDim.x)
        dst[row * dst_pitch + c] = src[row * src_pitch + c];
}

/* Without a tile: one of both sides is strided. */
template <typename T>
__global__ void transposed_plainly(const T *in, T *out, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols)
        out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
}

/* Through a padded tile of any type, with edges in both directions. */
template <typename T, int TILE, int ROWS>
__global__ void transposed_by_tile(const T *in, T *out, int height, int width)
{
    __shared__ T s_tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height)
            s_tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = s_tile[threadIdx.x][threadIdx.y + j];
}

/* Batch, time, head and depth become batch, head, time and depth: four numbers from one. */
__global__ void swap_time_and_head(const float *in, float *out, int T, int H, int D)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int d = i % D, t = i / D % T, h = i / D / T % H, b = i / D / T / H;
    out[i] = in[((b * T + t) * H + h) * D + d];
}

/* The last becomes the first. */
__global__ void reversed(const float4 *in, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[n - 1 - i];
    out[i] = make_float4(v.w, v.z, v.y, v.x);
}

/* What is pushed out at the end comes in at the front. */
__global__ void rolled(const float *in, float *out, int n, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i >= shift ? i - shift : i - shift + n] = in[i];
}

/* Pairs are taken apart, and two planes put together. */
__global__ void pairs_apart(const float2 *in, float *left, float *right)
{
    int i = thread_index();
    float2 v = in[i];
    left[i] = v.x;
    right[i] = v.y;
}
__global__ void planes_together(const float *left, const float *right, float *out)
{
    int i = thread_index();
    out[2 * i] = left[i];
    out[2 * i + 1] = right[i];
}

/* An image with a border of its outermost pixels. */
__global__ void pad_by_edge(const float *in, float *out, int w, int h, int border)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int wide = w + 2 * border;
    if (x >= wide || y >= h + 2 * border)
        return;
    int from_x = min(max(x - border, 0), w - 1), from_y = min(max(y - border, 0), h - 1);
    out[y * wide + x] = in[from_y * w + from_x];
}

/* The part of a square at and below its diagonal, row after row without gaps. */
__global__ void pack_lower(const float *in, float *out, int n)
{
    int row = blockIdx.x;
    size_t start = (size_t)row * (row + 1) / 2;
    for (int col = threadIdx.x; col <= row; col += blockDim.x)
        out[start + col] = in[(size_t)row * n + col];
}

/* Bytes, one for each thread, or sixteen. */
template <typename T> __global__ void copy_text(const T *in, T *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("copy_pitched_3001_of_3072", dim3(4, 5000), 256, copy_pitched, data->x, 3072, data->out,
         3001, 3001),
    EACH("transposed_plainly_3001x5003", dim3(157, 376), dim3(32, 8), transposed_plainly<float>,
         data->x, data->out, 3001, 5003),
    EACH("transposed_plainly_halves_2048", dim3(128, 128), dim3(16, 16),
         transposed_plainly<__half>, data->half_x, (__half *)data->out, 2 * KI, 2 * KI),
    EACH("transposed_in_tiles_3001x5003", dim3(157, 94), dim3(32, 8),
         (transposed_by_tile<float, 32, 8>), data->x, data->out, 3001, 5003),
    EACH("transposed_by_tile_8192x8192", dim3(256, 256), dim3(32, 16),
         (transposed_by_tile<float, 32, 16>), data->x, data->out, 8 * KI, 8 * KI),
    EACH("transposed_by_tile_doubles_1024", dim3(64, 64), dim3(16, 16),
         (transposed_by_tile<double, 16, 16>), data->double_x, (double *)data->out, KI, KI),
    EACH("transposed_by_tile_100x160000", dim3(5000, 4), dim3(32, 4),
         (transposed_by_tile<float, 32, 4>), data->x, data->out, 100, 160000),
    EACH("swap_time_and_head_8M", 32 * KI, 256, swap_time_and_head, data->x, data->out, 512, 16,
         64),
    EACH("reversed_32M", 32 * KI, 256, reversed, (const float4 *)data->x, (float4 *)data->out,
         8 * MI),
    EACH("rolled_10000000", 39063, 256, rolled, data->x, data->out, 10000000, 777),
    EACH("pairs_apart_16M", 64 * KI, 256, pairs_apart, (const float2 *)data->x, data->out,
         data->out + 16 * MI),
    EACH("planes_together_8M", 32 * KI, 256, planes_together, data->x, data->y, data->out),
    EACH("pad_by_edges_1920x1080", dim3(122, 69), dim3(16, 16), pad_by_edge, data->x, data->out,
         1920, 1080, 8),
    EACH("pack_lower_4096x4096", 4 * KI, 128, pack_lower, data->x, data->out, 4 * KI),
    EACH("copy_text_8M_bytes", 8 * KI, KI, copy_text<char>, (const char *)data->half_x,
         (char *)data->out, (size_t)8 * MI),
    EACH("copy_text_128M_by_sixteen", 32 * KI, 256, copy_text<int4>, (const int4 *)data->y,
         (int4 *)data->out, (size_t)8 * MI),
};
BANK_FAMILY(copies)
