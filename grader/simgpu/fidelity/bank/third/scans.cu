/* scans.cu - running sums, sorting, counting and packing, by hand and by the library's blocks. */
#include "../bank.h"

#include <cooperative_groups.h>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

namespace cg = cooperative_groups;

/* The library's load, scan and store of eight words a thread. */
__global__ void __launch_bounds__(128) scan_by_library(const int *x, int *out)
{
    using load = cub::BlockLoad<int, 128, 8, cub::BLOCK_LOAD_TRANSPOSE>;
    using store = cub::BlockStore<int, 128, 8, cub::BLOCK_STORE_TRANSPOSE>;
    using scan = cub::BlockScan<int, 128>;
    __shared__ union {
        typename load::TempStorage load;
        typename store::TempStorage store;
        typename scan::TempStorage scan;
    } s_storage;
    int words[8];
    load(s_storage.load).Load(x + blockIdx.x * 1024, words);
    __syncthreads();
    scan(s_storage.scan).InclusiveSum(words, words);
    __syncthreads();
    store(s_storage.store).Store(out + blockIdx.x * 1024, words);
}

/* Shuffles up within each warp, then over the warps' totals. */
__global__ void scan_by_shuffles(const float *x, float *out, float *totals)
{
    __shared__ float s_total[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float v = x[i];
    for (int d = 1; d < 32; d *= 2) {
        float before = __shfl_up_sync(0xFFFFFFFFu, v, d);
        if (lane >= d)
            v += before;
    }
    if (lane == 31)
        s_total[warp] = v;
    __syncthreads();
    if (warp == 0) {
        float total = lane < blockDim.x / 32 ? s_total[lane] : 0;
        for (int d = 1; d < 32; d *= 2) {
            float before = __shfl_up_sync(0xFFFFFFFFu, total, d);
            if (lane >= d)
                total += before;
        }
        s_total[lane] = total;
    }
    __syncthreads();
    v += warp ? s_total[warp - 1] : 0;
    out[i] = v;
    if (threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = v;
}

/* What blocks before this one add is added to each element: the scan's last kernel. */
__global__ void add_totals(const float *x, const float *totals, float *out)
{
    __shared__ float s_total;
    if (threadIdx.x == 0)
        s_total = blockIdx.x ? totals[blockIdx.x - 1] : 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] + s_total;
}

/* 1024 keys of a block sorted by digits, by the library. */
__global__ void __launch_bounds__(128) sort_by_library(const int *x, int *out)
{
    using sort = cub::BlockRadixSort<int, 128, 8>;
    __shared__ typename sort::TempStorage s_storage;
    int keys[8];
    for (int k = 0; k < 8; k++)
        keys[k] = x[blockIdx.x * 1024 + k * 128 + threadIdx.x];
    sort(s_storage).SortBlockedToStriped(keys);
    for (int k = 0; k < 8; k++)
        out[blockIdx.x * 1024 + k * 128 + threadIdx.x] = keys[k];
}

/* 32 keys of each warp sorted by exchanges of lanes. */
__global__ void sort_warps(const float *x, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float v = x[i];
    for (int width = 2; width <= 32; width *= 2)
        for (int d = width / 2; d > 0; d /= 2) {
            float other = __shfl_xor_sync(0xFFFFFFFFu, v, d);
            bool up = (lane & width) == 0, low = (lane & d) == 0;
            v = up == low ? fminf(v, other) : fmaxf(v, other);
        }
    out[i] = v;
}

/* Neighbours change places until 256 keys are in order. */
__global__ void sort_odd_even(const int *x, int *out)
{
    __shared__ int s_key[256];
    int t = threadIdx.x;
    s_key[t] = x[blockIdx.x * 256 + t];
    for (int round = 0; round < 256; round++) {
        __syncthreads();
        int at = 2 * t + (round & 1);
        if (at + 1 < 256 && s_key[at] > s_key[at + 1]) {
            int key = s_key[at];
            s_key[at] = s_key[at + 1];
            s_key[at + 1] = key;
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = s_key[t];
}

/* Each element finds its place among another sorted list's, to merge the two. */
__global__ void merge_ranks(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = n;
    int key = a[i];
    while (low < high) {
        int middle = (low + high) / 2;
        if (b[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[i + low] = key;
}

/* Bytes counted in one table for the block, or in one for each lane that are added up later. */
__global__ void bytes_counted(const uint4 *x, int *out, int vectors)
{
    __shared__ int s_count[256];
    s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < vectors; i += gridDim.x * 256) {
        uint4 v = x[i];
        const unsigned words[4] = {v.x, v.y, v.z, v.w};
        for (int j = 0; j < 16; j++)
            atomicAdd(&s_count[words[j / 4] >> j % 4 * 8 & 255], 1);
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], s_count[threadIdx.x]);
}

__global__ void counted_by_lane(const int *x, int *out, int n)
{
    __shared__ unsigned char s_count[64][128];
    for (int j = 0; j < 64; j++)
        s_count[j][threadIdx.x] = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        s_count[x[i] & 63][threadIdx.x]++;
    __syncthreads();
    if (threadIdx.x < 64) {
        int sum = 0;
        for (int j = 0; j < 128; j++)
            sum += s_count[threadIdx.x][(j + threadIdx.x) & 127];
        atomicAdd(&out[threadIdx.x], sum);
    }
}

/* What is above a limit is packed: places by a warp's votes and one atomic of the group. */
__global__ void pack_by_group(const float *x, float *out, int *count, float limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || x[i] < limit)
        return;
    auto active = cg::coalesced_threads();
    int at = 0;
    if (active.thread_rank() == 0)
        at = atomicAdd(count, (int)active.size());
    out[(active.shfl(at, 0) + active.thread_rank()) & 0xFFFFFF] = x[i];
}

/* The same with places by the block's scan, four elements a thread. */
__global__ void __launch_bounds__(256) pack_by_scan(const float4 *x, float *out, int *count,
                                                    float limit)
{
    using scan = cub::BlockScan<int, 256>;
    __shared__ typename scan::TempStorage s_storage;
    __shared__ int s_base;
    float4 v = x[blockIdx.x * 256 + threadIdx.x];
    int kept = (v.x > limit) + (v.y > limit) + (v.z > limit) + (v.w > limit), at, all;
    scan(s_storage).ExclusiveSum(kept, at, all);
    if (threadIdx.x == 0)
        s_base = atomicAdd(count, all);
    __syncthreads();
    at += s_base & 0xFFFFFF;
    if (v.x > limit)
        out[at++] = v.x;
    if (v.y > limit)
        out[at++] = v.y;
    if (v.z > limit)
        out[at++] = v.z;
    if (v.w > limit)
        out[at] = v.w;
}

/* How long each run of like neighbours is, from its first element. */
__global__ void run_lengths(const int *x, int *out, int shift, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int key = x[i] >> shift, length = 0;
    if (i == 0 || x[i - 1] >> shift != key)
        do
            length++;
        while (i + length < n && x[i + length] >> shift == key);
    out[i] = length;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("scan_by_library_4M", 4 * KI, 128, scan_by_library, data->shuffled, (int *)data->out),
    EACH("scan_by_shuffles_8M", 8 * KI, 1024, scan_by_shuffles, data->x, data->out,
         data->out + 16 * MI),
    EACH("scan_by_shuffles_1M_blocks_of_128", 8 * KI, 128, scan_by_shuffles, data->x, data->out,
         data->out + 16 * MI),
    EACH("add_totals_16M", 64 * KI, 256, add_totals, data->x, data->y, data->out),
    EACH("sort_by_library_1M", KI, 128, sort_by_library, data->shuffled, (int *)data->out),
    EACH("sort_warps_4M", 16 * KI, 256, sort_warps, data->x, data->out),
    EACH("sort_odd_even_128K", 512, 256, sort_odd_even, data->shuffled, (int *)data->out),
    EACH("merge_ranks_2M", 8 * KI, 256, merge_ranks, data->in_order, data->in_order + 1000,
         (int *)data->out, 2 * MI),
    EACH("bytes_counted_16M", 264, 256, bytes_counted, (const uint4 *)data->half_x,
         data->counters + 2 * MI, MI),
    EACH("counted_by_lane_3M", 396, 128, counted_by_lane, data->shuffled,
         data->counters + 2 * MI + 512, 3 * MI),
    EACH("pack_by_group_8M", 32 * KI, 256, pack_by_group, data->x, data->out,
         data->counters + 2 * MI + 1024, 0.25f, 8 * MI),
    EACH("pack_by_scan_8M", 8 * KI, 256, pack_by_scan, (const float4 *)data->x, data->out,
         data->counters + 2 * MI + 1056, -0.5f),
    EACH("run_lengths_4M", 16 * KI, 256, run_lengths, data->in_order, (int *)data->out, 3, 4 * MI),
};
BANK_FAMILY(scans)
