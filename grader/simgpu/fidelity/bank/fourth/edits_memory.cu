/* edits_memory.cu - kernels before and after one mend of how they reach memory, global or shared.
 * The line that is mended is marked "mend:" with the pair's name in the kernel before; pairs.csv
 * says of each what kind of mend it is. A pair shares its grid and its work. */
#include "../bank.h"

/* Eight numbers of each thread in a row, or a block's length apart. */
template <bool AFTER> __global__ void peak_of_eight(const float *x, float *out)
{
    float most = -2;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int i = blockIdx.x * 2048 + (AFTER ? k * 256 + threadIdx.x : threadIdx.x * 8 + k);
        most = fmaxf(most, __ldcg(&x[i])); /* mend: pair_peak_of_eight */
    }
    out[thread_index()] = most;
}

/* The blocks' first axis goes down the matrix, or along it. */
template <bool AFTER> __global__ void bias_by_axes(const float *x, float *out, int n)
{
    int u = blockIdx.x * 16 + threadIdx.x, v = blockIdx.y * 16 + threadIdx.y;
    int row = AFTER ? v : u, col = AFTER ? u : v;
    float value = __ldcg(&x[row * n + col]); /* mend: pair_bias_by_axes */
    if (value > 2)
        out[row * n + col] = value;
}

/* One channel of pixels with four, or of a plane of its own. */
__global__ void one_channel(const float *x, float *out, int stride)
{
    int i = thread_index();
    out[i] = sqrtf(fabsf(x[i * stride])); /* mend: pair_one_channel */
}

/* Rows of a table by indices that jump, or that stay near. */
__global__ void looked_up(const int *index, const float *table, float *out)
{
    int i = thread_index();
    out[i] = table[index[i]] + 1; /* mend: pair_looked_up */
}

/* Products of a tile with its own columns, rows of 32 words or of 33. */
template <int PITCH> __global__ void own_columns(const float *x, float *out, int turns)
{
    __shared__ float s_tile[32 * PITCH];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int j = warp; j < 32; j += 8)
        s_tile[j * PITCH + lane] = x[blockIdx.x * 1024 + j * 32 + lane];
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < turns; k++)
        sum = sum * 0.5f +
              s_tile[lane * PITCH + ((k + warp) & 31)]; /* mend: pair_columns_of_own_tile */
    out[thread_index()] = sum;
}

/* A thread's four words in a row of shared memory, or in four planes. */
template <bool AFTER> __global__ void four_planes(const float *x, float *out, int turns)
{
    __shared__ float s_v[1024];
    for (int k = 0; k < 4; k++)
        s_v[k * 256 + threadIdx.x] = x[blockIdx.x * 1024 + k * 256 + threadIdx.x];
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int t = 0; t < turns; t++) {
        int k = t & 3;
        int at = AFTER ? k * 256 + threadIdx.x : threadIdx.x * 4 + k;
        sum = sum * 0.5f + s_v[at]; /* mend: pair_four_planes */
    }
    out[thread_index()] = sum;
}

/* A row's scale is read again for each of its elements, or once. */
template <bool AFTER> __global__ void scale_read_once(const float *x, const float *s, float *out)
{
    const float *mine = &s[threadIdx.x];
    float kept = __ldcg(mine), sum = 0;
#pragma unroll 1
    for (int k = 0; k < 24; k++) {
        float v = __ldcs(&x[(blockIdx.x * 24 + k) * 256 + threadIdx.x]);
        float scale = AFTER ? kept : __ldcg(mine + (k >> 6)); /* mend: pair_scale_read_once */
        sum = sum * 0.5f + v * scale;
    }
    out[thread_index()] = sum;
}

/* A difference in time: the sample before is read anew, or was kept. */
template <bool AFTER> __global__ void differences_kept(const float *x, float *out, int channels)
{
    int c = thread_index(), first = blockIdx.y * 48;
    float last = __ldcg(&x[first * channels + c]), most = 0;
#pragma unroll 1
    for (int t = first + 1; t < first + 48; t++) {
        float now = __ldcg(&x[t * channels + c]);
        const float *again = &x[(t - 1) * channels + c];
        float before = AFTER ? last : __ldcg(again); /* mend: pair_differences */
        most = fmaxf(most, fabsf(now - before));
        last = now;
    }
    out[blockIdx.y * channels + c] = most;
}

#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, kernel<false>, __VA_ARGS__),                             \
        PAIR_ROW(name "_after", grid, block, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR("peak_of_eight", 8 * KI, 256, peak_of_eight, data->x, data->out),
    PAIR("bias_by_axes", dim3(256, 256), dim3(16, 16), bias_by_axes, data->x, data->out, 4 * KI),
    PAIR_ROW("one_channel_before", 32 * KI, 256, one_channel, data->x, data->out, 4),
    PAIR_ROW("one_channel_after", 32 * KI, 256, one_channel, data->x, data->out, 1),
    PAIR_ROW("looked_up_before", 16 * KI, 256, looked_up, data->shuffled, data->y, data->out),
    PAIR_ROW("looked_up_after", 16 * KI, 256, looked_up, data->in_order, data->y, data->out),
    PAIR_ROW("columns_of_own_tile_before", 1056, 256, own_columns<32>, data->x, data->out, 96),
    PAIR_ROW("columns_of_own_tile_after", 1056, 256, own_columns<33>, data->x, data->out, 96),
    PAIR("four_planes", 2 * KI, 256, four_planes, data->x, data->out, 128),
    PAIR("scale_read_once", 4 * KI, 256, scale_read_once, data->x, data->y, data->out),
    PAIR("differences", dim3(32, 64), 256, differences_kept, data->x, data->out, 8 * KI),
};
BANK_FAMILY(edits_memory)
