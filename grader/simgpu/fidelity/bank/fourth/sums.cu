/* sums.cu - many numbers become few: sums, extremes, dot products and votes. */
#include "../bank.h"

#include <cstdint>
#include <cuda_bf16.h>

/* The sum over a block by shuffles; the first thread has it. */
template <typename T> static __device__ __forceinline__ T block_total(T v)
{
    __shared__ T s_part[32];
#pragma unroll
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xFFFFFFFFu, v, d);
    if ((threadIdx.x & 31) == 0)
        s_part[threadIdx.x >> 5] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x >> 5 ? s_part[threadIdx.x] : T(0);
    if (threadIdx.x < 32)
#pragma unroll
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_down_sync(0xFFFFFFFFu, v, d);
    return v;
}

/* As in the book: two elements a thread, a tree, the last warp unrolled. */
__global__ void sum_like_the_slides(const float *in, float *out)
{
    __shared__ volatile float s_data[256];
    unsigned tid = threadIdx.x, i = blockIdx.x * 512 + tid;
    s_data[tid] = in[i] + in[i + 256];
    __syncthreads();
    for (unsigned s = 128; s > 32; s >>= 1) {
        if (tid < s)
            s_data[tid] = s_data[tid] + s_data[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        float v = s_data[tid] + s_data[tid + 32];
        for (int d = 16; d; d >>= 1)
            v += __shfl_down_sync(0xFFFFFFFFu, v, d);
        if (tid == 0)
            out[blockIdx.x] = v;
    }
}

/* Sixteen bytes of halves at a time over a loop, and one atomic a block. */
__global__ void sum_of_halves(const uint4 *in, float *out, int n)
{
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count()) {
        uint4 v = in[i];
        const __half2 *h = (const __half2 *)&v;
        float2 f = __half22float2(__hadd2(__hadd2(h[0], h[1]), __hadd2(h[2], h[3])));
        sum += f.x + f.y;
    }
    sum = block_total(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

/* Doubles with what rounding lost carried along. */
__global__ void sum_compensated(const double *in, double *out, int n)
{
    double sum = 0, lost = 0;
    for (int i = thread_index(); i < n; i += thread_count()) {
        double v = in[i] - lost, next = sum + v;
        lost = (next - sum) - v;
        sum = next;
    }
    sum = block_total(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* Bytes of words are added up by a product with ones. */
__global__ void sum_of_bytes(const int4 *in, int *out, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int4 v = in[i];
        sum = __dp4a(v.x, 0x01010101, sum);
        sum = __dp4a(v.y, 0x01010101, sum);
        sum = __dp4a(v.z, 0x01010101, sum);
        sum = __dp4a(v.w, 0x01010101, sum);
    }
    sum = __reduce_add_sync(0xFFFFFFFFu, sum);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

/* Products of brain floats, by a block for a piece of both vectors. */
__global__ void dot_of_brain_floats(const __nv_bfloat162 *x, const __nv_bfloat162 *y, float *out,
                                    int each)
{
    float sum = 0;
    for (int k = 0; k < each; k++) {
        int i = (blockIdx.x * each + k) * blockDim.x + threadIdx.x;
        float2 a = __bfloat1622float2(x[i]), b = __bfloat1622float2(y[i]);
        sum = fmaf(a.x, b.x, fmaf(a.y, b.y, sum));
    }
    sum = block_total(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* Least and most in one pass. */
__global__ void least_and_most(const float4 *in, float2 *out, int n)
{
    __shared__ float2 s_both[8];
    float low = 1e30f, high = -1e30f;
    for (int i = thread_index(); i < n; i += thread_count()) {
        float4 v = in[i];
        low = fminf(fminf(low, v.x), fminf(fminf(v.y, v.z), v.w));
        high = fmaxf(fmaxf(high, v.x), fmaxf(fmaxf(v.y, v.z), v.w));
    }
    for (int d = 16; d; d /= 2) {
        low = fminf(low, __shfl_xor_sync(~0u, low, d));
        high = fmaxf(high, __shfl_xor_sync(~0u, high, d));
    }
    if (threadIdx.x % 32 == 0)
        s_both[threadIdx.x / 32] = make_float2(low, high);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++) {
            low = fminf(low, s_both[w].x);
            high = fmaxf(high, s_both[w].y);
        }
        out[blockIdx.x] = make_float2(low, high);
    }
}

/* Where the least is: value and place in one word of 64 bits, kept by an atomic of
 * the complement. */
__global__ void place_of_least(const float *in, unsigned long long *best, int n)
{
    unsigned long long mine = ~0ull;
    for (int i = thread_index(); i < n; i += thread_count()) {
        uint32_t bits = __float_as_uint(in[i]);
        bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        unsigned long long key = (unsigned long long)bits << 32 | (uint32_t)i;
        mine = key < mine ? key : mine;
    }
    for (int d = 16; d; d >>= 1) {
        unsigned long long other = __shfl_xor_sync(~0u, mine, d);
        mine = other < mine ? other : mine;
    }
    if ((threadIdx.x & 31) == 0)
        atomicMax(best, ~mine);
}

/* Rows of a length that is no power of two, a block to a row. */
__global__ void mean_of_rows(const float *in, float *out, int cols)
{
    const float *row = in + (size_t)blockIdx.x * cols;
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        sum += row[c];
    sum = block_total(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum / cols;
}

/* A column for each thread of a row of blocks; what parts find is added by atomics. */
__global__ void sum_of_columns(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_sum[8][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int r = blockIdx.y * 8 + threadIdx.y; r < rows; r += gridDim.y * 8)
        sum += in[r * cols + c];
    s_sum[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int j = 1; j < 8; j++)
            sum += s_sum[j][threadIdx.x];
        atomicAdd(&out[c], sum);
    }
}

/* Runs of 32 neighbours, a warp to each of several. */
__global__ void sum_of_short_runs(const float *in, float *out, int runs)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    for (int k = 0; k < runs; k++) {
        float v = in[(warp * runs + k) * 32 + lane];
        for (int d = 1; d < 32; d <<= 1)
            v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
        if (lane == k)
            out[warp * runs + k] = v;
    }
}

/* Is any of a block's numbers outside, and how many are? */
__global__ void outside_by_votes(const float *in, int *any, int *count, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool outside = fabsf(in[i]) > limit;
    int found = __syncthreads_count(outside);
    if (threadIdx.x == 0) {
        any[blockIdx.x] = found > 0;
        if (found)
            atomicAdd(count, found);
    }
}

/* The logarithm of a sum of exponentials, by one block over all of a long row. */
__global__ void log_sum_of_powers(const float *in, float *out, int n)
{
    __shared__ float s_most[32];
    float most = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        most = fmaxf(most, in[(size_t)blockIdx.x * n + i]);
    for (int d = 16; d; d >>= 1)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (threadIdx.x % 32 == 0)
        s_most[threadIdx.x / 32] = most;
    __syncthreads();
    for (int w = 0; w < blockDim.x / 32; w++)
        most = fmaxf(most, s_most[w]);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += expf(in[(size_t)blockIdx.x * n + i] - most);
    sum = block_total(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = most + logf(sum);
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("sum_like_the_slides_16M", 32 * KI, 256, sum_like_the_slides, data->x, data->out),
    EACH("sum_like_the_slides_64M", 128 * KI, 256, sum_like_the_slides, data->x, data->out),
    EACH("sum_of_halves_16M", 264, 512, sum_of_halves, (const uint4 *)data->half_x,
         data->sums + 600, 2 * MI),
    EACH("sum_compensated_1M", 132, 256, sum_compensated, data->double_x, (double *)data->out, MI),
    EACH("sum_of_bytes_64M", 528, 256, sum_of_bytes, (const int4 *)data->y,
         data->counters + 3 * MI, 4 * MI),
    EACH("dot_of_brain_floats_16M", KI, 256, dot_of_brain_floats,
         (const __nv_bfloat162 *)data->half_x, (const __nv_bfloat162 *)data->half_y, data->out,
         32),
    EACH("least_and_most_64M", 1056, 256, least_and_most, (const float4 *)data->x,
         (float2 *)data->out, 16 * MI),
    EACH("least_and_most_100000", 66, 256, least_and_most, (const float4 *)data->x,
         (float2 *)data->out, 25000),
    EACH("place_of_least_8M", 264, KI, place_of_least, data->x,
         (unsigned long long *)(data->counters + 3 * MI + 64), 8 * MI),
    EACH("mean_of_rows_10000x777", 10000, 128, mean_of_rows, data->x, data->out, 777),
    EACH("mean_of_rows_64x100003", 64, KI, mean_of_rows, data->x, data->out, 100003),
    EACH("sum_of_columns_of_8192", dim3(32, 32), dim3(32, 8), sum_of_columns, data->x,
         (float *)(data->counters + 3 * MI + 1024), 8 * KI, KI),
    EACH("sum_of_short_runs_8M", 1 * KI, 256, sum_of_short_runs, data->x, data->out, 32),
    EACH("outside_by_votes_4M", 4 * KI, KI, outside_by_votes, data->x, (int *)data->out,
         data->counters + 3 * MI + 128, 0.999f),
    EACH("log_sum_of_powers_256x32768", 256, 512, log_sum_of_powers, data->x, data->out, 32 * KI),
    EACH("log_sum_of_powers_one_row", 1, KI, log_sum_of_powers, data->x, data->out, 50000),
};
BANK_FAMILY(sums)
