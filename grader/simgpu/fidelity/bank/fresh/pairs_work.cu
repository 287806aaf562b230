/* pairs_work.cu - kernels before and after one mend of what they compute with: lanes, spills,
 * barriers, atomics, divisions, loads under way. Marked as in pairs_memory.cu. */
#include "../bank.h"

static __device__ __forceinline__ float steps_up(float v, int steps)
{
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        v = v * 0.75f + 0.125f;
    return v;
}

static __device__ __forceinline__ float steps_down(float v, int steps)
{
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        v = (v - 0.5f) * 0.25f;
    return v;
}

/* Half the threads one way, half the other: by lane, or by warp. */
template <int WIDTH> __global__ void lanes_parity(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v = x[i];
    if (i / WIDTH % 2) /* mend: pair_lanes_parity */
        v = steps_up(v, steps);
    else
        v = steps_down(v, steps);
    out[i] = v;
}

/* One in eight has work: spread over all warps, or whole warps of them. */
template <bool AFTER> __global__ void lanes_packed(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v = x[i];
    if (AFTER ? threadIdx.x < 32 : threadIdx.x % 8 == 0) /* mend: pair_lanes_packed */
        v = steps_up(v, steps);
    out[i] = v;
}

/* Loops of many lengths: mixed in a warp, or sorted. */
__global__ void lanes_sorted(const float *x, const int *lengths, float *out, int shift)
{
    int i = thread_index();
    out[i] = steps_up(x[i], (lengths[i] >> shift) % 128); /* mend: pair_lanes_sorted */
}

/* A tree of sums with distances that grow, lanes apart, or that shrink, lanes side by side. */
template <bool AFTER> __global__ void lanes_tree(const float *x, float *out)
{
    __shared__ float s_sum[256];
    int thread = threadIdx.x;
    s_sum[thread] = x[thread_index()];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int distance = AFTER ? 128 / step : step;
        if (AFTER ? thread < distance : thread % (2 * step) == 0) /* mend: pair_lanes_tree */
            s_sum[thread] += s_sum[thread + distance];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = s_sum[0];
}

/* The same values in too few registers, or in enough. */
static __device__ __forceinline__ float mix_fifty(const float *x, int steps)
{
    float v[50], sum = 0;
#pragma unroll
    for (int j = 0; j < 50; j++)
        v[j] = x[thread_index() + 32 * j];
#pragma unroll 1
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int j = 0; j < 50; j++)
            v[j] = v[j] * v[(j + 7) % 50] + 0.125f; /* mend: pair_spills_loop */
#pragma unroll
    for (int j = 0; j < 50; j++)
        sum += v[j];
    return sum;
}
__global__ void __launch_bounds__(256, 8) spills_loop_before(const float *x, float *out, int steps)
{
    out[thread_index()] = mix_fifty(x, steps);
}
__global__ void __launch_bounds__(256, 2) spills_loop_after(const float *x, float *out, int steps)
{
    out[thread_index()] = mix_fifty(x, steps);
}

/* An array with an index of the data's, or one that the compiler can unroll away. */
template <bool AFTER> __global__ void spills_array(const float *x, float *out, int mask)
{
    float v[16], sum = 0;
#pragma unroll
    for (int j = 0; j < 16; j++)
        v[j] = x[(blockIdx.x * 16 + j) * 256 + threadIdx.x];
#pragma unroll
    for (int k = 0; k < 64; k++)
        sum = sum * 0.5f + v[AFTER ? (k * 5) % 16 : (k * 5) & mask]; /* mend: pair_spills_array */
    out[thread_index()] = sum;
}

/* A barrier in each turn, of which none is wanted: each thread reads its own word. */
template <bool AFTER> __global__ void barriers_loop(const float *x, float *out, int steps)
{
    __shared__ float s_word[256];
    s_word[threadIdx.x] = x[thread_index()];
    volatile float *own = &s_word[threadIdx.x];
    for (int k = 0; k < steps; k++) {
        *own = *own * 0.5f + 1;
        if (!AFTER)
            __syncthreads(); /* mend: pair_barriers_loop */
    }
    out[thread_index()] = *own;
}

/* A block's barrier where a warp's is enough. */
template <bool AFTER> __global__ void barriers_warp(const float *x, float *out, int steps)
{
    __shared__ float s_word[1024];
    int base = threadIdx.x / 32 * 32, lane = threadIdx.x % 32;
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++) {
        s_word[threadIdx.x] = v;
        AFTER ? __syncwarp() : __syncthreads(); /* mend: pair_barriers_warp */
        v = 0.5f * (v + s_word[base + (lane + 1) % 32]);
        AFTER ? __syncwarp() : __syncthreads();
    }
    out[thread_index()] = v;
}

/* One atomic a thread, or one a warp after a sum by shuffles. */
template <bool AFTER> __global__ void atomics_warp(const float *x, float *sums)
{
    float v = x[thread_index()];
    if (AFTER)
        for (int d = 16; d; d /= 2)
            v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    if (!AFTER || threadIdx.x % 32 == 0)
        atomicAdd(&sums[blockIdx.x % 64], v); /* mend: pair_atomics_warp */
}

/* Counters in shared memory: one for all lanes, or one each. */
template <bool AFTER> __global__ void atomics_spread(int *out, int steps)
{
    __shared__ int s_count[256];
    s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        int at = AFTER ? (threadIdx.x + k) % 256 : k % 256;
        atomicAdd(&s_count[at], k); /* mend: pair_atomics_spread */
    }
    __syncthreads();
    out[thread_index()] = s_count[threadIdx.x];
}

/* One load under way at a time, or four. */
template <int AHEAD> __global__ void loads_ahead(const float *x, float *out, int columns)
{
    const float *row = x + (size_t)blockIdx.x * columns;
    float sum = 0;
#pragma unroll AHEAD
    for (int j = threadIdx.x; j < columns; j += 256)
        sum = sum * 0.5f + row[j]; /* mend: pair_loads_ahead */
    out[thread_index()] = sum;
}

/* Blocks that crowd each other out by shared memory they hardly use. */
__global__ void occupancy(const float *x, float *out)
{
    extern __shared__ float s_words[]; /* mend: pair_occupancy */
    s_words[threadIdx.x] = x[thread_index()];
    __syncthreads();
    out[thread_index()] = s_words[threadIdx.x ^ 1];
}

template <bool AFTER> __global__ void divide(const float *x, float *out, float by, int steps)
{
    float v = x[thread_index()], factor = 1 / by;
    for (int k = 0; k < steps; k++)
        v = AFTER ? v * factor + 1 : v / by + 1; /* mend: pair_cheaper_division */
    out[thread_index()] = v;
}

/* A constant written as a double drags the expression with it. */
template <typename T> __global__ void precision(const float *x, float *out, int steps)
{
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++)
        v = (float)(v * (T)0.7 + (T)0.1); /* mend: pair_cheaper_precision */
    out[thread_index()] = v;
}

/* A fence in each thread that nothing asks for. */
template <bool AFTER> __global__ void fences(const float *x, float *out)
{
    out[thread_index()] = 2 * x[thread_index()];
    if (!AFTER)
        __threadfence(); /* mend: pair_fences */
}

#define PAIR_ROW(name, grid, block, shared_bytes, kernel, ...)                                     \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, shared_bytes, kernel, __VA_ARGS__)
#define EACH(name, kernel, ...) PAIR_ROW(name, 4 * KI, 256, 0, kernel, data->x, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("lanes_parity_before", lanes_parity<1>, data->out, 96),
    EACH("lanes_parity_after", lanes_parity<32>, data->out, 96),
    EACH("lanes_packed_before", lanes_packed<false>, data->out, 192),
    EACH("lanes_packed_after", lanes_packed<true>, data->out, 192),
    EACH("lanes_sorted_before", lanes_sorted, data->shuffled, data->out, 0),
    EACH("lanes_sorted_after", lanes_sorted, data->in_order, data->out, 5),
    EACH("lanes_tree_before", lanes_tree<false>, data->out),
    EACH("lanes_tree_after", lanes_tree<true>, data->out),
    PAIR_ROW("spills_loop_before", 1056, 256, 0, spills_loop_before, data->x, data->out, 24),
    PAIR_ROW("spills_loop_after", 1056, 256, 0, spills_loop_after, data->x, data->out, 24),
    PAIR_ROW("spills_array_before", 2 * KI, 256, 0, spills_array<false>, data->x, data->out, 15),
    PAIR_ROW("spills_array_after", 2 * KI, 256, 0, spills_array<true>, data->x, data->out, 15),
    PAIR_ROW("barriers_loop_before", 1056, 256, 0, barriers_loop<false>, data->x, data->out, 64),
    PAIR_ROW("barriers_loop_after", 1056, 256, 0, barriers_loop<true>, data->x, data->out, 64),
    PAIR_ROW("barriers_warp_before", 264, 1024, 0, barriers_warp<false>, data->x, data->out, 64),
    PAIR_ROW("barriers_warp_after", 264, 1024, 0, barriers_warp<true>, data->x, data->out, 64),
    EACH("atomics_warp_before", atomics_warp<false>, data->sums),
    EACH("atomics_warp_after", atomics_warp<true>, data->sums),
    PAIR_ROW("atomics_spread_before", 1056, 256, 0, atomics_spread<false>, (int *)data->out, 128),
    PAIR_ROW("atomics_spread_after", 1056, 256, 0, atomics_spread<true>, (int *)data->out, 128),
    EACH("loads_ahead_before", loads_ahead<1>, data->out, 4 * KI),
    EACH("loads_ahead_after", loads_ahead<4>, data->out, 4 * KI),
    PAIR_ROW("occupancy_before", 8 * KI, 256, 100 * KI, occupancy, data->x, data->out),
    PAIR_ROW("occupancy_after", 8 * KI, 256, 1 * KI, occupancy, data->x, data->out),
    EACH("cheaper_division_before", divide<false>, data->out, 3.1f, 96),
    EACH("cheaper_division_after", divide<true>, data->out, 3.1f, 96),
    EACH("cheaper_precision_before", precision<double>, data->out, 64),
    EACH("cheaper_precision_after", precision<float>, data->out, 64),
    PAIR_ROW("fences_before", 16 * KI, 256, 0, fences<false>, data->x, data->out),
    PAIR_ROW("fences_after", 16 * KI, 256, 0, fences<true>, data->x, data->out),
};
BANK_FAMILY(pairs_work)
