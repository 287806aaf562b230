/* adders.cu - sums and extremes of arrays, of rows and of columns: trees, shuffles, CUB,
 * cooperative groups, atomics, two passes. */
#include "../bank.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace cg = cooperative_groups;

static __device__ __forceinline__ float warp_sum(float v)
{
    for (int offset = 16; offset; offset /= 2)
        v += __shfl_down_sync(~0u, v, offset);
    return v;
}

/* Warps hand their sums over in shared memory; the first one finishes. All of 32 warps or fewer. */
static __device__ float block_sum(float v)
{
    __shared__ float s_part[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warp_sum(v);
    if (lane == 0)
        s_part[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? s_part[lane] : 0;
    return warp == 0 ? warp_sum(v) : 0;
}

/* The first pass: a partial sum for each block. The second is the same with one block. */
__global__ void partial_sums(const float *x, float *out, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* The slides' first version: interleaved, and the lanes that work grow sparse. */
__global__ void sum_interleaved(const float *x, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[thread_index()];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

/* The slides' second one: all work in front, with a stride that makes banks conflict. */
__global__ void sum_strided_index(const float *x, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[thread_index()];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int at = 2 * step * t;
        if (at < blockDim.x)
            s[at] += s[at + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

/* CUB's block reduction over eight values a thread, with an atomic at the end. */
__global__ void dot_by_library(const float4 *x, const float4 *y, float *sums)
{
    using reduce = cub::BlockReduce<float, 256>;
    __shared__ typename reduce::TempStorage storage;
    int i = blockIdx.x * 512 + threadIdx.x;
    float4 a = x[i], b = y[i], c = x[i + 256], d = y[i + 256];
    float sum = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    sum += c.x * d.x + c.y * d.y + c.z * d.z + c.w * d.w;
    sum = reduce(storage).Sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(&sums[1], sum);
}

/* Tiles of cooperative groups, W lanes each, a tile to a row. */
template <int W> __global__ void rows_by_tiles(const float *x, float *out, int cols)
{
    auto tile = cg::tiled_partition<W>(cg::this_thread_block());
    int row = thread_index() / W;
    float sum = 0;
    for (int c = tile.thread_rank(); c < cols; c += W)
        sum += x[row * cols + c];
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0)
        out[row] = sum;
}

/* Lesson 3's squares: a warp to a row, by float4 and with two sums. */
__global__ void row_squares_warp(const float4 *x, float *out, int quads)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    const float4 *mine = x + (size_t)row * quads;
    float even = 0, odd = 0;
    for (int c = lane; c < quads; c += 32) {
        float4 v = mine[c];
        even += v.x * v.x + v.z * v.z;
        odd += v.y * v.y + v.w * v.w;
    }
    float sum = warp_sum(even + odd);
    if (lane == 0)
        out[row] = sum;
}

/* The same with a block to a row and a plain tree in shared memory. */
__global__ void row_squares_tree(const float *x, float *out, int cols)
{
    __shared__ float s[256];
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 256) {
        float v = x[(size_t)blockIdx.x * cols + c];
        sum = fmaf(v, v, sum);
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

/* And with a thread to a row, which walks down its own line. */
__global__ void row_squares_thread(const float *x, float *out, int rows, int cols)
{
    int row = thread_index();
    if (row >= rows)
        return;
    float sum = 0;
    for (int c = 0; c < cols; c++)
        sum += x[(size_t)row * cols + c] * x[(size_t)row * cols + c];
    out[row] = sum;
}

/* Rows by CUB's warp reduction, eight warps a block, eight elements a turn. */
__global__ void row_peaks_by_library(const float *x, float *out, int cols)
{
    using reduce = cub::WarpReduce<float>;
    __shared__ typename reduce::TempStorage storage[8];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 8 + warp;
    float most = -2;
    for (int c = lane * 2; c < cols; c += 64) {
        float2 v = *(const float2 *)&x[(size_t)row * cols + c];
        most = fmaxf(most, fmaxf(fabsf(v.x), fabsf(v.y)));
    }
    most = reduce(storage[warp]).Reduce(most, [](float a, float b) { return a > b ? a : b; });
    if (lane == 0)
        out[row] = most;
}

/* Each thread adds to one of few sums by itself. */
__global__ void sum_all_atomically(const float *x, float *sums, int targets)
{
    int i = thread_index();
    atomicAdd(&sums[i % targets], x[i]);
}

/* Columns, a thread each, over pieces of the rows, and atomics between the pieces. */
__global__ void column_sums_in_pieces(const float *x, float *sums, int cols, int rows_each)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    const float *from = x + (size_t)blockIdx.y * rows_each * cols + col;
    float sum = 0;
#pragma unroll 8
    for (int r = 0; r < rows_each; r++)
        sum += from[(size_t)r * cols];
    atomicAdd(&sums[col], sum);
}

/* A mean and a variance by Chan's rule, merged over lanes by shuffles. */
__global__ void moments_of_rows(const float *x, float2 *out, int cols)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    float mean = 0, m2 = 0, n = 0;
    for (int c = lane; c < cols; c += 32) {
        float v = x[(size_t)row * cols + c], d = v - mean;
        n += 1;
        mean += d / n;
        m2 += d * (v - mean);
    }
    for (int offset = 16; offset; offset /= 2) {
        float mean_b = __shfl_xor_sync(~0u, mean, offset), m2_b = __shfl_xor_sync(~0u, m2, offset);
        float n_b = __shfl_xor_sync(~0u, n, offset), d = mean_b - mean;
        m2 += m2_b + d * d * n * n_b / (n + n_b);
        mean = (n * mean + n_b * mean_b) / (n + n_b);
        n += n_b;
    }
    if (lane == 0)
        out[row] = make_float2(mean, m2 / n);
}

/* The place of the least element by an atomic on 64 bits that carry value and place. */
__global__ void least_and_place(const float *x, unsigned long long *least, int n)
{
    unsigned long long mine = ~0ull;
    for (int i = thread_index(); i < n; i += thread_count()) {
        unsigned bits = __float_as_uint(x[i]);
        bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        unsigned long long key = (unsigned long long)bits << 32 | (unsigned)i;
        mine = key < mine ? key : mine;
    }
    for (int offset = 16; offset; offset /= 2) {
        unsigned long long other = __shfl_xor_sync(~0u, mine, offset);
        mine = other < mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0)
        atomicMax(least, ~mine);
}

#define ADD(name, grid, block, kernel, ...)                                                        \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    ADD("partial_sums_64M", 1056, 256, partial_sums, data->x, data->out, 64 * MI),
    ADD("partial_sums_1000000", 264, 512, partial_sums, data->x, data->out, 1000000),
    ADD("second_pass_of_1056", 1, KI, partial_sums, data->y, data->out, 1056),
    ADD("sum_interleaved_2M", 8 * KI, 256, sum_interleaved, data->x, data->out),
    ADD("sum_strided_index_2M", 8 * KI, 256, sum_strided_index, data->x, data->out),
    ADD("dot_by_library_32M", 16 * KI, 256, dot_by_library, (const float4 *)data->x,
        (const float4 *)data->y, data->sums),
    ADD("rows_by_tiles_8_256Kx32", 8 * KI, 256, rows_by_tiles<8>, data->x, data->out, 32),
    ADD("rows_by_tiles_32_32Kx500", 8 * KI, 128, rows_by_tiles<32>, data->x, data->out, 500),
    ADD("row_squares_warp_32768x1024", 4 * KI, 256, row_squares_warp, (const float4 *)data->x,
        data->out, 256),
    ADD("row_squares_warp_16384_of_4096", 2 * KI, 256, row_squares_warp, (const float4 *)data->x,
        data->out, 1024),
    ADD("row_squares_tree_32768x1024", 32 * KI, 256, row_squares_tree, data->x, data->out, 1024),
    ADD("row_squares_tree_4096x1024", 4 * KI, 256, row_squares_tree, data->x, data->out, 1024),
    ADD("row_squares_thread_32768x256", 128, 256, row_squares_thread, data->x, data->out, 32768,
        256),
    ADD("row_peaks_by_library_8192x2000", KI, 256, row_peaks_by_library, data->x, data->out, 2000),
    ADD("sum_all_atomically_1M_to_1", 4 * KI, 256, sum_all_atomically, data->x, data->sums, 1),
    ADD("sum_all_atomically_4M_to_1000", 16 * KI, 256, sum_all_atomically, data->x, data->sums,
        1000),
    ADD("column_sums_in_pieces_32768x1024", dim3(4, 128), 256, column_sums_in_pieces, data->x,
        data->sums, 1024, 256),
    ADD("moments_of_rows_16Kx768", 2 * KI, 256, moments_of_rows, data->x, (float2 *)data->out, 768),
    ADD("least_and_place_16M", 528, 512, least_and_place, data->x,
        (unsigned long long *)data->counters, 16 * MI),
};
BANK_FAMILY(adders)
