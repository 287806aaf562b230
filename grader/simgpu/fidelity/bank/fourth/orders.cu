/* orders.cu - counting, scans, packing and steps of sorts. */
#include "../bank.h"

#include <cstdint>

/* Grey values of an image are counted in the memory of all blocks. */
__global__ void bins_by_global_atomics(const unsigned char *in, int *bins, int n)
{
    for (int i = thread_index(); i < n; i += thread_count())
        atomicAdd(&bins[in[i]], 1);
}

/* Floats fall into 64 bins of each block, four at a time. */
__global__ void bins_of_floats(const float4 *in, int *bins, int n)
{
    __shared__ int s_bins[64];
    if (threadIdx.x < 64)
        s_bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread_index(); i < n; i += thread_count()) {
        float4 v = in[i];
        atomicAdd(&s_bins[(int)((v.x + 1) * 32)], 1);
        atomicAdd(&s_bins[(int)((v.y + 1) * 32)], 1);
        atomicAdd(&s_bins[(int)((v.z + 1) * 32)], 1);
        atomicAdd(&s_bins[(int)((v.w + 1) * 32)], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
}

/* Threads of a warp with the same digit agree on one of them that adds for all. */
__global__ void digits_by_match(const int *in, int *bins, int shift, int n)
{
    __shared__ int s_bins[16];
    if (threadIdx.x < 16)
        s_bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread_index(); i < n; i += thread_count()) {
        int digit = in[i] >> shift & 15;
        unsigned same = __match_any_sync(0xFFFFFFFFu, digit);
        if (__ffs(same) - 1 == (threadIdx.x & 31))
            atomicAdd(&s_bins[digit], __popc(same));
    }
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
}

/* Blelloch's sweep up and down with places spread over the banks. */
__global__ void prescan_spread(const float *in, float *out)
{
    __shared__ float s_tree[1024 + 32];
    int t = threadIdx.x, offset = 1;
#define AT(i) ((i) + ((i) >> 5))
    s_tree[AT(t)] = in[blockIdx.x * 1024 + t];
    s_tree[AT(t + 512)] = in[blockIdx.x * 1024 + t + 512];
    for (int d = 512; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s_tree[AT(offset * (2 * t + 2) - 1)] += s_tree[AT(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0)
        s_tree[AT(1023)] = 0;
    for (int d = 1; d < 1024; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = AT(offset * (2 * t + 1) - 1), b = AT(offset * (2 * t + 2) - 1);
            float left = s_tree[a];
            s_tree[a] = s_tree[b];
            s_tree[b] += left;
        }
    }
    __syncthreads();
    out[blockIdx.x * 1024 + t] = s_tree[AT(t)];
    out[blockIdx.x * 1024 + t + 512] = s_tree[AT(t + 512)];
#undef AT
}

/* Rows are scanned by one warp each, 32 at a time with the sum so far carried on. */
__global__ void running_sum_of_rows(const float *in, float *out, int cols)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    float carry = 0;
    for (int c = 0; c < cols; c += 32) {
        float v = in[row * cols + c + lane];
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            float left = __shfl_up_sync(~0u, v, d);
            v += lane >= d ? left : 0;
        }
        v += carry;
        out[row * cols + c + lane] = v;
        carry = __shfl_sync(~0u, v, 31);
    }
}

/* Positive numbers of a block move to its front. */
__global__ void positive_to_front(const float *in, float *out, int *kept)
{
    __shared__ int s_before[8];
    int i = thread_index(), lane = threadIdx.x & 31, warp = threadIdx.x >> 5, at = 0, all = 0;
    float v = in[i];
    unsigned votes = __ballot_sync(~0u, v > 0);
    if (lane == 0)
        s_before[warp] = __popc(votes);
    __syncthreads();
    for (int w = 0; w < 8; w++) {
        at += w < warp ? s_before[w] : 0;
        all += s_before[w];
    }
    if (v > 0)
        out[blockIdx.x * 256 + at + __popc(votes & ((1u << lane) - 1))] = v;
    if (threadIdx.x == 0)
        kept[blockIdx.x] = all;
}

/* 1024 keys of each block, two for each thread, by Batcher's network. */
__global__ void bitonic_1024(const int *in, int *out)
{
    __shared__ int s_key[1024];
    int t = threadIdx.x;
    s_key[t] = in[blockIdx.x * 1024 + t];
    s_key[t + 512] = in[blockIdx.x * 1024 + t + 512];
    for (int size = 2; size <= 1024; size <<= 1)
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * t - (t & (stride - 1));
            bool up = (pos & size) == 0;
            int a = s_key[pos], b = s_key[pos + stride];
            if ((a > b) == up) {
                s_key[pos] = b;
                s_key[pos + stride] = a;
            }
        }
    __syncthreads();
    out[blockIdx.x * 1024 + t] = s_key[t];
    out[blockIdx.x * 1024 + t + 512] = s_key[t + 512];
}

/* One step of that network over all keys, from one array to another. */
__global__ void bitonic_step_apart(const int *in, int *out, int stride, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ stride;
    int mine = in[i], other = in[partner];
    bool low = (i & stride) == 0, up = (i & size) == 0;
    out[i] = low == up ? min(mine, other) : max(mine, other);
}

/* Keys of a block are split by one bit, eight times, with the places from a scan of votes. */
__global__ void split_by_bits(const uint32_t *in, uint32_t *out, int bits)
{
    __shared__ uint32_t s_key[256];
    __shared__ int s_zeros[8];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    uint32_t key = in[blockIdx.x * 256 + t];
    for (int bit = 0; bit < bits; bit++) {
        bool zero = (key >> bit & 1) == 0;
        unsigned votes = __ballot_sync(~0u, zero);
        if (lane == 0)
            s_zeros[warp] = __popc(votes);
        __syncthreads();
        int before = __popc(votes & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < 8; w++) {
            before += w < warp ? s_zeros[w] : 0;
            all += s_zeros[w];
        }
        s_key[zero ? before : all + t - before] = key;
        __syncthreads();
        key = s_key[t];
    }
    out[blockIdx.x * 256 + t] = key;
}

/* The four largest of each row of 256, by a warp that takes the largest away four times. */
__global__ void four_largest(const float *in, float *out)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    float v[8];
    for (int j = 0; j < 8; j++)
        v[j] = in[row * 256 + j * 32 + lane];
    for (int k = 0; k < 4; k++) {
        float most = -2;
        for (int j = 0; j < 8; j++)
            most = fmaxf(most, v[j]);
        for (int d = 16; d; d >>= 1)
            most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
        for (int j = 0; j < 8; j++)
            v[j] = v[j] == most ? -2 : v[j];
        if (lane == k)
            out[row * 4 + k] = most;
    }
}

/* Where each number would stand in a sorted list, by halving the rest without a branch. */
__global__ void lower_bounds(const int *sorted, const int *wanted, int *out, int levels)
{
    int i = thread_index(), key = wanted[i], at = 0;
    for (int step = 1 << (levels - 1); step > 0; step >>= 1)
        at += sorted[at + step - 1] < key ? step : 0;
    out[i] = at;
}

/* Places by counting who is smaller: each thread looks at all of its block. */
__global__ void rank_in_block(const float *in, float *out)
{
    __shared__ float s_in[128];
    int t = threadIdx.x, rank = 0;
    float v = in[blockIdx.x * 128 + t];
    s_in[t] = v;
    __syncthreads();
    for (int j = 0; j < 128; j++)
        rank += s_in[j] < v || (s_in[j] == v && j < t);
    out[blockIdx.x * 128 + rank] = v;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("bins_in_global_1M", 132, 256, bins_by_global_atomics,
         (const unsigned char *)data->shuffled, data->counters + 3 * MI + 4 * KI, MI),
    EACH("bins_of_floats_8M", 264, 256, bins_of_floats, (const float4 *)data->x,
         data->counters + 3 * MI + 5 * KI, 2 * MI),
    EACH("digits_by_match_4M", 528, 256, digits_by_match, data->shuffled,
         data->counters + 3 * MI + 6 * KI, 8, 4 * MI),
    EACH("prescan_spread_8M", 8 * KI, 512, prescan_spread, data->x, data->out),
    EACH("running_sum_of_rows_4096x1024", 1 * KI, 128, running_sum_of_rows, data->x, data->out, KI),
    EACH("positive_to_front_16M", 64 * KI, 256, positive_to_front, data->x, data->out,
         (int *)data->out + 32 * MI),
    EACH("bitonic_1024_1M", KI, 512, bitonic_1024, data->shuffled, (int *)data->out),
    EACH("bitonic_step_apart_4M_far", 16 * KI, 256, bitonic_step_apart, data->shuffled,
         (int *)data->out, 64 * KI, 128 * KI),
    EACH("bitonic_step_apart_4M_near", 16 * KI, 256, bitonic_step_apart, data->shuffled,
         (int *)data->out, 2, 128 * KI),
    EACH("split_by_bits_1M", 4 * KI, 256, split_by_bits, (const uint32_t *)data->shuffled,
         (uint32_t *)data->out, 8),
    EACH("four_largest_32768x256", 4 * KI, 256, four_largest, data->x, data->out),
    EACH("lower_bounds_2M_in_4M", 8 * KI, 256, lower_bounds, data->in_order, data->shuffled,
         (int *)data->out, 22),
    EACH("lower_bounds_2M_in_4K", 8 * KI, 256, lower_bounds, data->in_order, data->nearby,
         (int *)data->out, 12),
    EACH("rank_in_block_512K", 4 * KI, 128, rank_in_block, data->x, data->out),
};
BANK_FAMILY(orders)
