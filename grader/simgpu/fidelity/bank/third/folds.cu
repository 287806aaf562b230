/* folds.cu - many values become one: rows at the size that the lesson about lanes is timed with,
 * columns, whole arrays; by hand, by the library's block operations and by cooperative groups. */
#include "../bank.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>

namespace cg = cooperative_groups;

/* The lesson as it begins: a tree whose idle threads lie between the busy ones. */
__global__ void squares_by_remainder(const float *x, float *out, int columns)
{
    __shared__ float s_sum[256];
    const float *row = x + (long long)blockIdx.x * columns;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += 256)
        sum += row[i] * row[i];
    s_sum[threadIdx.x] = sum;
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        if (threadIdx.x % (2 * distance) == 0)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + distance];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0];
}

/* The library adds up the block; loads are vectors of four, all of a row's before any is used. */
template <cub::BlockReduceAlgorithm ALGORITHM>
__global__ void __launch_bounds__(256) squares_by_library(const float4 *x, float *out, int vectors)
{
    using reduce = cub::BlockReduce<float, 256, ALGORITHM>;
    __shared__ typename reduce::TempStorage s_storage;
    float sum = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < vectors; i += 256) {
        float4 v = x[(size_t)blockIdx.x * vectors + i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = reduce(s_storage).Sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* A warp for each row, by a cooperative group; four sums are independent. */
__global__ void squares_by_group(const float4 *x, float *out, int rows, int vectors)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows)
        return;
    float4 sum = {};
    for (int i = warp.thread_rank(); i < vectors; i += 32) {
        float4 v = x[(size_t)row * vectors + i];
        sum.x += v.x * v.x;
        sum.y += v.y * v.y;
        sum.z += v.z * v.z;
        sum.w += v.w * v.w;
    }
    float all = cg::reduce(warp, sum.x + sum.y + sum.z + sum.w, cg::plus<float>());
    if (warp.thread_rank() == 0)
        out[row] = all;
}

/* As many blocks as fit, each takes the next row when it is done with one. */
__global__ void squares_persistent(const float *x, float *out, int rows, int columns)
{
    __shared__ float s_part[32];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float sum = 0;
        for (int i = threadIdx.x; i < columns; i += blockDim.x) {
            float v = x[(size_t)row * columns + i];
            sum += v * v;
        }
        for (int d = 16; d; d /= 2)
            sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
        if (threadIdx.x % 32 == 0)
            s_part[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x < 32) {
            sum = threadIdx.x < blockDim.x / 32 ? s_part[threadIdx.x] : 0;
            for (int d = 16; d; d /= 2)
                sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
            if (threadIdx.x == 0)
                out[row] = sum;
        }
        __syncthreads();
    }
}

/* The place of the largest of each row of halves. */
__global__ void place_of_largest(const __half *x, int *out, int columns)
{
    __shared__ float s_most[4];
    __shared__ int s_at[4];
    float most = -INFINITY;
    int at = 0;
    for (int i = threadIdx.x; i < columns; i += 128) {
        float v = __half2float(x[(size_t)blockIdx.x * columns + i]);
        if (v > most) {
            most = v;
            at = i;
        }
    }
    for (int d = 16; d; d /= 2) {
        float other = __shfl_down_sync(0xFFFFFFFFu, most, d);
        int there = __shfl_down_sync(0xFFFFFFFFu, at, d);
        if (other > most) {
            most = other;
            at = there;
        }
    }
    if (threadIdx.x % 32 == 0) {
        s_most[threadIdx.x / 32] = most;
        s_at[threadIdx.x / 32] = at;
    }
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int warp = 1; warp < 4; warp++)
        if (s_most[warp] > most) {
            most = s_most[warp];
            at = s_at[warp];
        }
    out[blockIdx.x] = at;
}

/* A product of two vectors in double precision, one atomic for each block. */
__global__ void dot_in_double(const float4 *x, const float4 *y, double *out, int vectors)
{
    __shared__ double s_sum[256];
    double sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < vectors; i += gridDim.x * 256) {
        float4 u = x[i], v = y[i];
        sum += (double)u.x * v.x + (double)u.y * v.y + (double)u.z * v.z + (double)u.w * v.w;
    }
    s_sum[threadIdx.x] = sum;
    for (int s = 128; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + s];
    }
    if (threadIdx.x == 0)
        atomicAdd(out, s_sum[0]);
}

/* How many pass a test: votes of a warp, one atomic for each of them. */
__global__ void count_below(const int *x, int *count, int limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned votes = __ballot_sync(0xFFFFFFFFu, i < n && x[i] < limit);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, __popc(votes));
}

/* A sum that keeps what rounding loses. */
__global__ void careful_sums(const float *x, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0, lost = 0;
    for (int k = 0; k < steps; k++) {
        float v = __fsub_rn(x[i + k * threads], lost), next = __fadd_rn(sum, v);
        lost = __fsub_rn(__fsub_rn(next, sum), v);
        sum = next;
    }
    out[i] = sum;
}

/* Sums of pieces of any length, a warp for each, by a table of where they begin. */
__global__ void sums_of_pieces(const float *x, const int *bits, float *out, int longest)
{
    int piece = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int length = bits[piece] & (longest - 1);
    float sum = 0;
    for (int i = lane; i < length; i += 32)
        sum += x[(size_t)piece * longest + i];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (lane == 0)
        out[piece] = sum;
}

/* Mean and variance of each channel of pictures. */
__global__ void channel_moments(const float4 *x, float2 *out, int channels, int vectors, int batch)
{
    __shared__ float s_sum[16], s_squares[16];
    float sum = 0, squares = 0;
    for (int picture = 0; picture < batch; picture++)
        for (int i = threadIdx.x; i < vectors; i += 512) {
            float4 v = x[((size_t)picture * channels + blockIdx.x) * vectors + i];
            sum += v.x + v.y + v.z + v.w;
            squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        }
    for (int d = 16; d; d /= 2) {
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
        squares += __shfl_xor_sync(0xFFFFFFFFu, squares, d);
    }
    if (threadIdx.x % 32 == 0) {
        s_sum[threadIdx.x / 32] = sum;
        s_squares[threadIdx.x / 32] = squares;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < 16; warp++) {
            sum += s_sum[warp];
            squares += s_squares[warp];
        }
        float mean = sum / (batch * vectors * 4);
        out[blockIdx.x] = make_float2(mean, squares / (batch * vectors * 4) - mean * mean);
    }
}

/* Columns of a matrix, a thread for each. */
__global__ void columns_by_thread(const float *x, float *out, int rows, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0;
    for (int row = 0; row < rows; row++)
        sum += x[row * columns + column];
    out[column] = sum;
}

/* The largest distance from zero, by integers, since their order is that of the floats. */
__global__ void farthest_from_zero(const float *x, int *out, int n)
{
    unsigned most = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        most = max(most, __float_as_uint(fabsf(x[i])));
    most = __reduce_max_sync(0xFFFFFFFFu, most);
    if (threadIdx.x % 32 == 0)
        atomicMax(out, (int)most);
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("squares_by_remainder_16384x4096", 16 * KI, 256, squares_by_remainder, data->x, data->out,
         4 * KI),
    EACH("squares_by_raking_16384x4096", 16 * KI, 256,
         (squares_by_library<cub::BLOCK_REDUCE_RAKING>), (const float4 *)data->x, data->out, KI),
    EACH("squares_by_library_16384x4096", 16 * KI, 256,
         (squares_by_library<cub::BLOCK_REDUCE_WARP_REDUCTIONS>), (const float4 *)data->x,
         data->out, KI),
    EACH("squares_by_group_16384x4096", 2 * KI, 256, squares_by_group, (const float4 *)data->x,
         data->out, 16 * KI, KI),
    EACH("squares_by_groups_2000x4096", 250, 256, squares_by_group, (const float4 *)data->x,
         data->out, 2000, KI),
    EACH("squares_persistent_16384x4096", 264, 1024, squares_persistent, data->x, data->out,
         16 * KI, 4 * KI),
    EACH("squares_persistent_4000x1001", 528, 256, squares_persistent, data->x, data->out, 4000,
         1001),
    EACH("place_of_largest_4096x4000", 4 * KI, 128, place_of_largest, data->half_x,
         (int *)data->out, 4000),
    EACH("dot_in_double_16M", 528, 256, dot_in_double, (const float4 *)data->x,
         (const float4 *)data->y, (double *)data->sums, 4 * MI),
    EACH("count_below_4M", 16 * KI, 256, count_below, data->shuffled, data->counters + MI, 100000,
         4 * MI),
    EACH("careful_sums_16M", 528, 256, careful_sums, data->x, data->out, 124),
    EACH("sums_of_pieces_16K_to_1024", 2 * KI, 256, sums_of_pieces, data->x, data->shuffled,
         data->out, KI),
    EACH("channel_moments_64x256x56x56", 256, 512, channel_moments, (const float4 *)data->x,
         (float2 *)data->out, 256, 784, 64),
    EACH("columns_by_thread_2000x5000", 40, 128, columns_by_thread, data->x, data->out, 2000, 5000),
    EACH("farthest_from_zero_64M", 1056, 256, farthest_from_zero, data->x,
         data->counters + MI + 64, 64 * MI),
};
BANK_FAMILY(folds)
