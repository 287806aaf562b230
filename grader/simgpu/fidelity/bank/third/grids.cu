/* grids.cu - neighbours on grids and in graphs: stencils, filters, pictures, sparse rows. */
#include "../bank.h"

static __constant__ float c_filter[25] = {0.01f, 0.02f, 0.03f, 0.02f, 0.01f, 0.02f, 0.06f,
                                          0.08f, 0.06f, 0.02f, 0.03f, 0.08f, 0.12f, 0.08f,
                                          0.03f, 0.02f, 0.06f, 0.08f, 0.06f, 0.02f, 0.01f,
                                          0.02f, 0.03f, 0.02f, 0.01f};

/* Five by five, its weights in constant memory, a tile with its border in shared memory. */
__global__ void filter_five(const float *in, float *out, int width, int height)
{
    __shared__ float s_tile[12][36];
    int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
    for (int j = threadIdx.y * 32 + threadIdx.x; j < 12 * 36; j += 256) {
        int x = left + j % 36, y = top + j / 36;
        s_tile[j / 36][j % 36] =
            x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
    __syncthreads();
    int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int j = 0; j < 25; j++)
        sum += c_filter[j] * s_tile[threadIdx.y + j / 5][threadIdx.x + j % 5];
    out[y * width + x] = sum;
}

/* The same straight from global memory. */
__global__ void filter_five_plain(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || x >= width - 2 || y < 2 || y >= height - 2)
        return;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += c_filter[(dy + 2) * 5 + dx + 2] * in[(y + dy) * width + x + dx];
    out[y * width + x] = sum;
}

/* Three steps of a diffusion in one dimension, in a block's shared memory. */
__global__ void three_steps(const float *x, float *out, int n)
{
    __shared__ float s_value[2][262];
    int first = blockIdx.x * 256 - 3;
    for (int j = threadIdx.x; j < 262; j += 256)
        s_value[0][j] = first + j >= 0 && first + j < n ? x[first + j] : 0;
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        for (int at = threadIdx.x + 1 + k; at < 261 - k; at += 256)
            s_value[~k & 1][at] = 0.25f * s_value[k & 1][at - 1] + 0.5f * s_value[k & 1][at] +
                                  0.25f * s_value[k & 1][at + 1];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = s_value[1][threadIdx.x + 3];
}

/* A wave in three dimensions: four neighbours to each side along every axis. */
__global__ void wave_in_space(const float *now, const float *before, float *out, int side)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z;
    if (x < 4 || y < 4 || z < 4 || x >= side - 4 || y >= side - 4 || z >= side - 4)
        return;
    const float weight[5] = {-2.84722f, 1.6f, -0.2f, 0.02540f, -0.00179f};
    int at = (z * side + y) * side + x;
    float sum = 3 * weight[0] * now[at];
#pragma unroll
    for (int d = 1; d <= 4; d++)
        sum += weight[d] * (now[at - d] + now[at + d] + now[at - d * side] + now[at + d * side] +
                            now[at - d * side * side] + now[at + d * side * side]);
    out[at] = 2 * now[at] - before[at] + 0.1f * sum;
}

/* A picture made half as large, and one made larger by weights of four pixels. */
__global__ void largest_of_four(const float2 *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width)
        return;
    float2 u = in[(2 * y) * width + x], v = in[(2 * y + 1) * width + x];
    out[y * width + x] = fmaxf(fmaxf(u.x, u.y), fmaxf(v.x, v.y));
}

__global__ void enlarge(const float *in, float *out, int width, int height, int to_width,
                        int to_height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= to_width || y >= to_height)
        return;
    float u = (x + 0.5f) * width / to_width - 0.5f, v = (y + 0.5f) * height / to_height - 0.5f;
    int left = max((int)floorf(u), 0), top = max((int)floorf(v), 0);
    int right = min(left + 1, width - 1), bottom = min(top + 1, height - 1);
    u -= left;
    v -= top;
    out[y * to_width + x] =
        (1 - v) * ((1 - u) * in[top * width + left] + u * in[top * width + right]) +
        v * ((1 - u) * in[bottom * width + left] + u * in[bottom * width + right]);
}

/* The middle of nine, by a network of exchanges. */
static __device__ __forceinline__ void order(float &a, float &b)
{
    float low = fminf(a, b);
    b = fmaxf(a, b);
    a = low;
}

__global__ void middle_of_nine(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
        return;
    float v[9];
#pragma unroll
    for (int j = 0; j < 9; j++)
        v[j] = in[(y + j / 3 - 1) * width + x + j % 3 - 1];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = i + 1; j < 9; j++)
            order(v[i], v[j]);
    out[y * width + x] = v[4];
}

/* Windows of three by three laid out as columns, for a product to come. */
__global__ void windows_as_columns(const float *in, float *out, int side, int channels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % side, y = i / side % side;
    int channel = i / side / side;
    if (channel >= channels)
        return;
    for (int j = 0; j < 9; j++) {
        int u = x + j % 3 - 1, v = y + j / 3 - 1;
        out[((channel * 9 + j) * side + y) * side + x] =
            u >= 0 && u < side && v >= 0 && v < side ? in[(channel * side + v) * side + u] : 0;
    }
}

/* Each channel filtered by its own three by three; the weights come by channel. */
__global__ void filter_by_channel(const float *in, const float *weights, float *out, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float *w = weights + blockIdx.z * 9, *plane = in + (size_t)blockIdx.z * side * side;
    float sum = 0;
    if (x >= side || y >= side)
        return;
    for (int j = 0; j < 9; j++) {
        int u = x + j % 3 - 1, v = y + j / 3 - 1;
        if (u >= 0 && u < side && v >= 0 && v < side)
            sum += w[j] * plane[v * side + u];
    }
    out[((size_t)blockIdx.z * side + y) * side + x] = sum;
}

/* Sparse rows of 1 to 64 entries, eight lanes for each. */
__global__ void sparse_by_eights(const int *bits, const int *column, const float *value,
                                 const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    int length = (bits[row] & 63) + 1;
    float sum = 0;
    for (int j = lane; j < length; j += 8)
        sum += value[row * 64 + j] * x[column[row * 64 + j]];
    for (int d = 4; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (lane == 0)
        y[row] = sum;
}

/* What edges carry is added to the nodes that they lead to. */
__global__ void along_edges(const int *from, const int *to, const float *value, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sums[to[i] & 0xFFFFF], value[from[i]]);
}

/* Particles fall into the cells of a grid: their eight corners by weights. */
__global__ void into_cells(const float4 *particles, float *cells, int side, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 p = particles[i];
    float x = (p.x + 1) * 0.49f * (side - 1), y = (p.y + 1) * 0.49f * (side - 1);
    int u = (int)x, v = (int)y;
    atomicAdd(&cells[v * side + u], (u + 1 - x) * (v + 1 - y) * p.w);
    atomicAdd(&cells[v * side + u + 1], (x - u) * (v + 1 - y) * p.w);
    atomicAdd(&cells[(v + 1) * side + u], (u + 1 - x) * (y - v) * p.w);
    atomicAdd(&cells[(v + 1) * side + u + 1], (x - u) * (y - v) * p.w);
}

/* Values fetched by index and written in order, and in order and written by index. */
__global__ void gather_rows_of_four(const int *index, const float4 *x, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[index[i]];
}

__global__ void scatter_words(const int *index, const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[index[i]] = x[i];
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("filter_five_1280x1024", dim3(40, 128), dim3(32, 8), filter_five, data->x, data->out,
         1280, 1024),
    EACH("filter_five_plain_1500x1100", dim3(47, 138), dim3(32, 8), filter_five_plain, data->x,
         data->out, 1500, 1100),
    EACH("three_steps_4M", 16 * KI, 256, three_steps, data->x, data->out, 4 * MI),
    EACH("wave_in_space_192", dim3(6, 48, 192), dim3(32, 4), wave_in_space, data->x, data->y,
         data->out, 192),
    EACH("largest_of_four_4096x3000", dim3(8, 1500), 256, largest_of_four,
         (const float2 *)data->x, data->out, 2 * KI, 1500),
    EACH("enlarge_640x480_to_2560x1920", dim3(80, 240), dim3(32, 8), enlarge, data->x, data->out,
         640, 480, 2560, 1920),
    EACH("middle_of_nine_1920x1080", dim3(120, 68), dim3(16, 16), middle_of_nine, data->x,
         data->out, 1920, 1080),
    EACH("windows_as_columns_32x224", 6272, 256, windows_as_columns, data->x, data->out, 224, 32),
    EACH("filter_by_channel_128x112", dim3(4, 14, 128), dim3(32, 8), filter_by_channel, data->x,
         data->y, data->out, 112),
    EACH("sparse_by_eights_64K", 2 * KI, 256, sparse_by_eights, data->shuffled, data->nearby,
         data->x, data->y, data->out),
    EACH("along_edges_2M", 8 * KI, 256, along_edges, data->shuffled, data->nearby, data->x,
         data->out, 2 * MI),
    EACH("into_cells_1M", 4 * KI, 256, into_cells, (const float4 *)data->x, data->out, KI, MI),
    EACH("gather_rows_of_four_2M", 8 * KI, 256, gather_rows_of_four, data->shuffled,
         (const float4 *)data->x, (float4 *)data->out, 2 * MI),
    EACH("scattered_words_4M", 16 * KI, 256, scatter_words, data->shuffled, data->x, data->out,
         4 * MI),
};
BANK_FAMILY(grids)
