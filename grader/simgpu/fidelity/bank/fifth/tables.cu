/* tables.cu - histograms, scans, gathers, sparse rows, searches, lookups in constant memory. */
#include "../bank.h"

#include <cstdint>
#include <cub/block/block_scan.cuh>

/* 256 bins in shared memory, one set for the block, then added to the global ones. */
__global__ void histogram_of_bytes(const uint32_t *words, int *bins, int n)
{
    __shared__ int s_bins[256];
    s_bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread_index(); i < n; i += thread_count()) {
        uint32_t w = words[i];
        for (int k = 0; k < 4; k++)
            atomicAdd(&s_bins[w >> 8 * k & 255], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
}

/* 64 bins, a set of them for every warp. */
__global__ void histogram_set_per_warp(const float4 *x, int *bins, int quads)
{
    __shared__ int s_bins[8][64];
    int warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < 8 * 64; i += 256)
        (&s_bins[0][0])[i] = 0;
    __syncthreads();
    for (int i = thread_index(); i < quads; i += thread_count()) {
        float4 v = x[i];
        atomicAdd(&s_bins[warp][(int)((v.x + 1) * 32) & 63], 1);
        atomicAdd(&s_bins[warp][(int)((v.y + 1) * 32) & 63], 1);
        atomicAdd(&s_bins[warp][(int)((v.z + 1) * 32) & 63], 1);
        atomicAdd(&s_bins[warp][(int)((v.w + 1) * 32) & 63], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        int sum = 0;
        for (int w = 0; w < 8; w++)
            sum += s_bins[w][threadIdx.x];
        atomicAdd(&bins[threadIdx.x], sum);
    }
}

/* Straight to global memory, spread over many bins. */
__global__ void histogram_straight(const float *x, int *bins, float scale)
{
    int i = thread_index();
    atomicAdd(&bins[(int)((x[i] + 1) * scale)], 1);
}

/* Sums of blocks by Hillis and Steele, two buffers. */
__global__ void scan_hillis_steele(const float *x, float *out)
{
    __shared__ float s[2][512];
    int t = threadIdx.x, now = 0;
    s[0][t] = x[thread_index()];
    __syncthreads();
    for (int step = 1; step < 512; step *= 2) {
        s[now ^ 1][t] = t >= step ? s[now][t] + s[now][t - step] : s[now][t];
        now ^= 1;
        __syncthreads();
    }
    out[thread_index()] = s[now][t];
}

/* The same by shuffles, then a scan of the warps' sums. */
__global__ void scan_by_warps(const int *x, int *out)
{
    __shared__ int s_sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = x[thread_index()];
    for (int step = 1; step < 32; step *= 2) {
        int before = __shfl_up_sync(~0u, v, step);
        v += lane >= step ? before : 0;
    }
    if (lane == 31)
        s_sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? s_sums[lane] : 0;
        for (int step = 1; step < 32; step *= 2) {
            int before = __shfl_up_sync(~0u, sum, step);
            sum += lane >= step ? before : 0;
        }
        s_sums[lane] = sum;
    }
    __syncthreads();
    out[thread_index()] = v + (warp ? s_sums[warp - 1] : 0);
}

/* CUB's block scan, four to a thread. */
__global__ void scan_quads_by_library(const int4 *x, int4 *out)
{
    using scan = cub::BlockScan<int, 256>;
    __shared__ typename scan::TempStorage storage;
    int4 v = x[thread_index()];
    int items[4] = {v.x, v.y, v.z, v.w};
    scan(storage).InclusiveSum(items, items);
    out[thread_index()] = make_int4(items[0], items[1], items[2], items[3]);
}

/* out[i] = table[index[i]]. */
__global__ void picked(const int *index, const float *table, float *out)
{
    int i = thread_index();
    out[i] = table[index[i]];
}

/* Rows of 128 floats picked by a warp, a float4 a lane. */
__global__ void picked_rows(const int *index, const float4 *table, float4 *out)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    out[(size_t)row * 32 + lane] = __ldg(&table[(size_t)(index[row] & 0x7ffff) * 32 + lane]);
}

/* Scattered instead: reads in order, writes where the index says. */
__global__ void put(const int *index, const float *x, float *out)
{
    int i = thread_index();
    out[index[i]] = 2 * x[i];
}

/* A sparse matrix of 16 per row, each row a thread's; columns near the diagonal. */
__global__ void sparse_near_diagonal(const float *values, const int *columns, const float *x,
                                     float *out, int rows)
{
    int row = thread_index();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += values[k * rows + row] * x[(columns[row] + 37 * k) & 0x3fffff];
    out[row] = sum;
}

__constant__ float c_curve[1024];
__constant__ float c_filter[16] = {0.01f, 0.02f, 0.04f, 0.06f, 0.09f, 0.12f, 0.13f, 0.14f,
                                   0.14f, 0.13f, 0.12f, 0.09f, 0.06f, 0.04f, 0.02f, 0.01f};

/* Each lane asks the constant cache for a place of its own, or all for one. */
template <bool SPREAD> __global__ void looked_up_constants(const int *index, float *out, int turns)
{
    int i = thread_index(), at = index[i];
    float sum = 0;
    for (int k = 0; k < turns; k++)
        sum += c_curve[(SPREAD ? at * 7 + k : k * 5 + blockIdx.x) & 1023] + k;
    out[i] = sum;
}

/* A filter whose taps are constants, over inputs in L1. */
__global__ void filtered_16(const float *x, float *out)
{
    int i = thread_index();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += c_filter[k] * x[i + k];
    out[i] = sum;
}

/* A table of 4096 in shared memory, at data-dependent places, interpolated. */
__global__ void interpolated(const float *x, const float *table, float *out, int each)
{
    __shared__ float s_table[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        s_table[i] = table[i];
    __syncthreads();
    for (int k = 0; k < each; k++) {
        size_t i = (size_t)(blockIdx.x * each + k) * blockDim.x + threadIdx.x;
        float place = (x[i] + 1) * 2047;
        int at = (int)place;
        out[i] = s_table[at] + (place - at) * (s_table[at + 1] - s_table[at]);
    }
}

/* Where a value would stand among sorted ones. */
__global__ void placed_by_halving(const int *sorted, const int *values, int *out, int n)
{
    int i = thread_index(), value = values[i], low = 0, high = n;
    while (low < high) {
        int middle = (low + high) >> 1;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

#define TABLE(name, ...) BANK_ROW(name, BANK_COLD, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    TABLE("histogram_of_bytes_16M", 528, 256, 0, histogram_of_bytes,
          (const uint32_t *)data->half_x, data->counters, 4 * MI),
    TABLE("histogram_of_zero_bytes_4M", 264, 256, 0, histogram_of_bytes,
          (const uint32_t *)data->zeros, data->counters, MI),
    TABLE("histogram_set_per_warp_8M", 528, 256, 0, histogram_set_per_warp,
          (const float4 *)data->x, data->counters, 2 * MI),
    TABLE("histogram_straight_2M_of_64K", 8 * KI, 256, 0, histogram_straight, data->x,
          data->counters, 32767.0f),
    TABLE("histogram_straight_1M_of_100", 4 * KI, 256, 0, histogram_straight, data->x,
          data->counters, 50.0f),
    TABLE("scan_hillis_steele_2M", 4 * KI, 512, 0, scan_hillis_steele, data->x, data->out),
    TABLE("scan_by_warps_4M", 4 * KI, KI, 0, scan_by_warps, data->nearby, (int *)data->out),
    TABLE("scan_quads_by_library_4M", 4 * KI, 256, 0, scan_quads_by_library,
          (const int4 *)data->nearby, (int4 *)data->out),
    TABLE("picked_shuffled_4M", 16 * KI, 256, 0, picked, data->shuffled, data->x, data->out),
    TABLE("picked_near_2M", 8 * KI, 256, 0, picked, data->nearby, data->x, data->out),
    TABLE("picked_rows_of_128_64K", 8 * KI, 256, 0, picked_rows, data->shuffled,
          (const float4 *)data->x, (float4 *)data->out),
    TABLE("put_shuffled_2M", 8 * KI, 256, 0, put, data->shuffled, data->x, data->out),
    TABLE("sparse_near_diagonal_512K", 2 * KI, 256, 0, sparse_near_diagonal, data->x,
          data->in_order, data->y, data->out, 512 * KI),
    TABLE("sparse_far_columns_256K", KI, 256, 0, sparse_near_diagonal, data->x, data->shuffled,
          data->y, data->out, 256 * KI),
    TABLE("looked_up_constants_apart_256K", KI, 256, 0, looked_up_constants<true>, data->shuffled,
          (float *)data->out, 8),
    TABLE("looked_up_constants_alike_1M", 4 * KI, 256, 0, looked_up_constants<false>,
          data->shuffled, (float *)data->out, 24),
    TABLE("filtered_16_4M", 16 * KI, 256, 0, filtered_16, data->x, data->out),
    TABLE("interpolated_4M", KI, 256, 0, interpolated, data->x, data->y, data->out, 16),
    TABLE("placed_by_halving_1M_in_64K", 4 * KI, 256, 0, placed_by_halving, data->in_order,
          data->shuffled, (int *)data->out, 64 * KI),
};
BANK_FAMILY(tables)
