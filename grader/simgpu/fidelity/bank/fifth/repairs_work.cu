/* repairs_work.cu - kernels before and after one line's repair of what they do: lanes that idle,
 * registers that spill, barriers and atomics that are not needed. The line is marked "mend:" with
 * the pair's name in the kernel before; pairs.csv says what kind of mend it is. */
#include "../bank.h"

/* Half of the elements take the long way: every other lane, or every other warp. */
template <bool AFTER> __global__ void long_way_for_half(const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    bool is_long = AFTER ? i / 32 % 2 : i % 2;
    if (is_long)
#pragma unroll 1
        for (int k = 0; k < 300; k++)
            v = fmaf(v, 0.99f, 0.01f); /* mend: pair_long_way_for_half */
    out[i] = v;
}

/* One lane in eight has work: lanes that lie apart, or whole warps. */
template <bool AFTER> __global__ void one_in_eight(const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    if ((AFTER ? i / 32 : i) % 8 == 3)
#pragma unroll 1
        for (int k = 0; k < 400; k++)
            v = fmaf(v, v, -1.4f); /* mend: pair_one_in_eight */
    out[i] = v;
}

/* Turns by data: neighbours differ, or agree. Every 1024 threads have the same ones in all. */
__global__ void turns_of_each(const int *turns, const float *x, float *out)
{
    int i = thread_index(), n = (turns[i] & 1023) / 32 * 8;
    float v = x[i];
#pragma unroll 1
    for (int k = 0; k < n; k++)
        v = fmaf(v, 0.97f, 0.02f); /* mend: pair_turns_of_neighbours */
    out[i] = v;
}

/* A ring of 16 at places that only the data knows, or that the compiler does. */
template <bool AFTER> __global__ void ring_of_sixteen(const float *x, const int *zeros, float *out,
                                                      int turns)
{
    float ring[16];
    int i = thread_index(), shift = zeros[i];
#pragma unroll
    for (int k = 0; k < 16; k++)
        ring[k] = x[k * thread_count() + i];
#pragma unroll 1
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 16; k++) {
            int at = AFTER ? k : (k + shift) & 15;
            ring[at] = ring[at] * 0.5f + k; /* mend: pair_ring_of_sixteen */
        }
    float sum = shift;
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += ring[k];
    out[i] = sum;
}

/* 60 sums with 48 registers, or with all that they want. */
static __device__ __forceinline__ void sixty_sums(const float *x, float *out, int turns)
{
    float sum[60] = {};
    int i = thread_index();
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
        float v = x[k * thread_count() + i];
#pragma unroll
        for (int j = 0; j < 60; j++)
            sum[j] = sum[j] * v + (v + j); /* mend: pair_sixty_sums */
    }
    float all = 0;
#pragma unroll
    for (int j = 0; j < 60; j++)
        all += sum[j];
    out[i] = all;
}

__global__ void __launch_bounds__(256, 5) sixty_sums_cramped(const float *x, float *out, int turns)
{
    sixty_sums(x, out, turns);
}

__global__ void __launch_bounds__(256, 2) sixty_sums_at_ease(const float *x, float *out, int turns)
{
    sixty_sums(x, out, turns);
}

/* What is handed on stays within a warp: a barrier of the block, or of the warp. */
template <bool AFTER> __global__ void handed_on(const float *x, float *out, int turns)
{
    __shared__ float s_v[512];
    int t = threadIdx.x, next = (t & ~31) | ((t + 1) & 31);
    float v = x[thread_index()];
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
        s_v[(k & 1) * 256 + t] = v;
        if (AFTER)
            __syncwarp();
        else
            __syncthreads(); /* mend: pair_handed_on */
        v = 0.5f * v + s_v[(k & 1) * 256 + next];
    }
    out[thread_index()] = v;
}

/* A barrier in every turn of a loop over inputs of its own, or none. */
template <bool AFTER> __global__ void barrier_for_nothing(const float *x, float *out)
{
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 32; k++) {
        sum += sqrtf(fabsf(x[(blockIdx.x * 32 + k) * 512 + threadIdx.x]));
        if (!AFTER)
            __syncthreads(); /* mend: pair_barrier_for_nothing */
    }
    out[thread_index()] = sum;
}

/* Every lane counts, or one lane for its warp. */
template <bool AFTER> __global__ void counted_in_global(const float *x, int *counts)
{
    int i = thread_index();
    bool is_large = x[i] > 0.25f;
    unsigned votes = __ballot_sync(~0u, is_large);
    int *count = &counts[blockIdx.x & 7], mine = AFTER ? __popc(votes) : 1;
    if (AFTER ? threadIdx.x % 32 == 0 : is_large)
        atomicAdd(count, mine); /* mend: pair_counted_by_votes */
}

/* A sum of all by every thread's atomic, or by its warp's. */
template <bool AFTER> __global__ void added_to_row(const float *x, float *sums)
{
    float v = x[thread_index()];
    if (AFTER)
        for (int offset = 16; offset; offset /= 2)
            v += __shfl_down_sync(~0u, v, offset);
    float *sum = &sums[blockIdx.x & 63];
    if (!AFTER || threadIdx.x % 32 == 0)
        atomicAdd(sum, v); /* mend: pair_added_to_row */
}

/* A reciprocal by division in full, or by the fast one. */
template <bool AFTER> __global__ void scaled_by_quotients(const float *x, const float *y,
                                                          float *out)
{
    int i = thread_index();
    float v = x[i], w = fabsf(y[i]) + 0.5f;
#pragma unroll
    for (int k = 0; k < 24; k++)
        v = AFTER ? __fdividef(v + k, w) : (v + k) / w; /* mend: pair_fast_quotients */
    out[i] = v;
}

/* Blocks of 32 threads, or of 256. */
__global__ void in_small_blocks(const float *x, float *out, int turns)
{
    int i = thread_index();
    float v = x[i];
#pragma unroll 1
    for (int k = 1; k < turns; k++)
        v += __ldcg(&x[i + k * thread_count()]); /* mend: pair_blocks_of_256 */
    out[i] = v;
}

#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, kernel<false>, __VA_ARGS__),                             \
        PAIR_ROW(name "_after", grid, block, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR("long_way_for_half", 2 * KI, 256, long_way_for_half, data->x, data->out),
    PAIR("one_in_eight", 4 * KI, 256, one_in_eight, data->x, data->out),
    PAIR_ROW("turns_of_neighbours_before", 2 * KI, 256, turns_of_each, data->nearby, data->x,
             data->out),
    PAIR_ROW("turns_of_neighbours_after", 2 * KI, 256, turns_of_each, data->in_order, data->x,
             data->out),
    PAIR("ring_of_sixteen", 512, 256, ring_of_sixteen, data->x, data->zeros, data->out, 24),
    PAIR_ROW("sixty_sums_before", KI, 256, sixty_sums_cramped, data->x, data->out, 10),
    PAIR_ROW("sixty_sums_after", KI, 256, sixty_sums_at_ease, data->x, data->out, 10),
    PAIR("handed_on", 2 * KI, 256, handed_on, data->x, data->out, 48),
    PAIR("barrier_for_nothing", KI, 512, barrier_for_nothing, data->x, data->out),
    PAIR("counted_by_votes", 8 * KI, 256, counted_in_global, data->x, data->counters),
    PAIR("added_to_row", 4 * KI, 256, added_to_row, data->x, data->sums),
    PAIR("fast_quotients", 8 * KI, 256, scaled_by_quotients, data->x, data->y, data->out),
    PAIR_ROW("blocks_of_256_before", 16 * KI, 32, in_small_blocks, data->x, data->out, 32),
    PAIR_ROW("blocks_of_256_after", 2 * KI, 256, in_small_blocks, data->x, data->out, 32),
};
BANK_FAMILY(repairs_work)
