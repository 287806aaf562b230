/* mends_work.cu - kernels before and after one mend of what they compute with: lanes, spills and
 * local arrays, barriers, atomics, blocks. Marked as in mends_memory.cu. */
#include "../bank.h"

static __device__ __forceinline__ float polish(float v, int turns)
{
#pragma unroll 1
    for (int k = 0; k < turns; k++)
        v = v - 0.25f * (v * v - 2) * v;
    return v;
}

static __device__ __forceinline__ float settle(float v, int turns)
{
#pragma unroll 1
    for (int k = 0; k < turns; k++)
        v = 0.5f * sqrtf(fabsf(v) + 1);
    return v;
}

/* Two kinds of work: odd lanes and even ones, or odd warps and even ones. */
template <bool AFTER> __global__ void two_kinds(const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    if ((AFTER ? i / 32 : i) & 1) /* mend: pair_two_kinds */
        v = polish(v, 48);
    else
        v = settle(v, 24);
    out[i] = v;
}

/* One lane in 16 has long work: by number, or sixteen times fewer warps with all lanes. */
template <bool AFTER> __global__ void rare_work(const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    if (AFTER ? threadIdx.x < 32 : threadIdx.x % 16 == 3) /* mend: pair_rare_work */
        v = polish(v, 256);
    out[i] = v;
}

/* As many turns as the data says: of all lengths in a warp, or of one. */
__global__ void turns_by_data(const float *x, const int *turns, float *out, int shift)
{
    int i = thread_index();
    out[i] = polish(x[i], turns[i] >> shift & 63); /* mend: pair_turns_by_data */
}

/* A cut-off by lane, or by warp: three quarters stop early. */
template <bool AFTER> __global__ void stop_early(const float *x, float *out, int turns)
{
    int i = thread_index();
    float v = x[i];
    for (int k = 0; k < turns; k++) {
        if ((AFTER ? i / 32 % 4 : i % 4) == 0 || k < turns / 8) /* mend: pair_stop_early */
            v = settle(v, 4);
        v += 0.5f;
    }
    out[i] = v;
}

/* Forty sums that fit into no 32 registers, or into 128. */
static __device__ __forceinline__ float forty(const float *x, int turns)
{
    float v[40], sum = 0;
#pragma unroll
    for (int j = 0; j < 40; j++)
        v[j] = x[thread_index() + j * 64];
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
        float a = x[thread_index() + k];
#pragma unroll
        for (int j = 0; j < 40; j++)
            v[j] = v[j] * 0.5f + a * v[(j + 11) % 40]; /* mend: pair_forty_sums */
    }
#pragma unroll
    for (int j = 0; j < 40; j++)
        sum += v[j];
    return sum;
}
__global__ void __launch_bounds__(1024, 2) forty_before(const float *x, float *out, int turns)
{
    out[thread_index()] = forty(x, turns);
}
__global__ void __launch_bounds__(1024, 1) forty_after(const float *x, float *out, int turns)
{
    out[thread_index()] = forty(x, turns);
}

/* A window of eight values: shifted by an index that is not known, or by one that is. */
template <bool AFTER> __global__ void window(const float *x, float *out, int start)
{
    float v[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
        v[j] = x[thread_index() + j];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 48; k++)
        sum = sum * 0.75f + v[(AFTER ? k * 3 : k * 3 + start) & 7]; /* mend: pair_window */
    out[thread_index()] = sum;
}

/* A small table of each thread's own, looked up by its data, or the value worked out. */
template <bool AFTER> __global__ void own_table(const int *x, float *out, int turns)
{
    float table[16];
    int v = x[thread_index()];
    for (int j = 0; j < 16; j++)
        table[j] = j * 0.25f + 1;
    float sum = 0;
    for (int k = 0; k < turns; k++) {
        int at = v >> (k & 15) & 15;
        sum = sum * 0.5f + (AFTER ? at * 0.25f + 1 : table[at]); /* mend: pair_own_table */
    }
    out[thread_index()] = sum;
}

/* Two barriers in each turn, of which one is needed: the buffers take turns. */
template <bool AFTER> __global__ void buffers_in_turn(const float *x, float *out, int turns)
{
    __shared__ float s_word[2][512];
    float v = x[thread_index()];
    for (int k = 0; k < turns; k++) {
        s_word[k & 1][threadIdx.x] = v;
        __syncthreads();
        v = v * 0.5f + s_word[k & 1][(threadIdx.x + 33) & 511];
        if (!AFTER)
            __syncthreads(); /* mend: pair_second_barrier */
    }
    out[thread_index()] = v;
}

/* Warps that work for themselves, held together by a block's barrier. */
template <bool AFTER> __global__ void warps_apart(const float *x, float *out, int turns)
{
    __shared__ float s_word[768];
    float v = x[thread_index()];
    for (int k = 0; k < turns; k++) {
        v = settle(v, threadIdx.x / 32 == k % 24 ? 8 : 1);
        s_word[threadIdx.x] = v;
        if (!AFTER)
            __syncthreads(); /* mend: pair_warp_barriers */
        __syncwarp();
        v += *(volatile float *)&s_word[threadIdx.x];
    }
    out[thread_index()] = v;
}

/* A sum of each block: an atomic of every thread, or of one after a tree of shuffles. */
template <bool AFTER> __global__ void one_counter(const int *x, int *sums)
{
    int v = x[thread_index()] & 15;
    if (AFTER)
        v = __reduce_add_sync(0xFFFFFFFFu, v);
    if (!AFTER || threadIdx.x % 32 == 0)
        atomicAdd(&sums[threadIdx.x / 32], v); /* mend: pair_one_counter */
}

/* Votes of all threads for a few places in global memory, or for many. */
template <bool AFTER> __global__ void few_places(const int *x, int *counters)
{
    int v = x[thread_index()];
    atomicAdd(&counters[AFTER ? v & 0xFFFF : v & 3], 1); /* mend: pair_few_places */
}

/* An exchange of values that each thread keeps to itself: by atomics, or plainly. */
template <bool AFTER> __global__ void needless_atomics(const float *x, float *out)
{
    int i = thread_index();
    if (AFTER)
        out[i] = x[i];
    else
        atomicExch(&out[i], x[i]); /* mend: pair_needless_atomics */
}

/* The same sum by as many blocks as lots, each with less to do. */
__global__ void strided_lots(const float *x, float *out, int n)
{
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count())
        sum += x[i] * x[i]; /* mend: pair_more_blocks */
    atomicAdd(&out[threadIdx.x], sum);
}

/* One block for each long row, or 16. */
__global__ void rows_in_parts(const float *x, float *out, int length)
{
    const float *row = x + (size_t)blockIdx.y * length * gridDim.x + (size_t)blockIdx.x * length;
    float most = -1;
    for (int j = threadIdx.x; j < length; j += blockDim.x)
        most = fmaxf(most, row[j]); /* mend: pair_rows_in_parts */
    atomicMax((int *)&out[blockIdx.y], __float_as_int(fmaxf(most, 0)));
}

#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, kernel<false>, __VA_ARGS__),                             \
        PAIR_ROW(name "_after", grid, block, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR("two_kinds", 4 * KI, 256, two_kinds, data->x, data->out),
    PAIR("rare_work", 2 * KI, 512, rare_work, data->x, data->out),
    PAIR_ROW("turns_by_data_before", 4 * KI, 256, turns_by_data, data->x, data->shuffled, data->out,
             0),
    PAIR_ROW("turns_by_data_after", 4 * KI, 256, turns_by_data, data->x, data->in_order, data->out,
             5),
    PAIR("stop_early", 2 * KI, 256, stop_early, data->x, data->out, 16),
    PAIR_ROW("forty_sums_before", 264, 1024, forty_before, data->x, data->out, 16),
    PAIR_ROW("forty_sums_after", 264, 1024, forty_after, data->x, data->out, 16),
    PAIR("window", 4 * KI, 256, window, data->x, data->out, 8),
    PAIR("own_table", 2 * KI, 256, own_table, data->shuffled, data->out, 48),
    PAIR("second_barrier", 528, 512, buffers_in_turn, data->x, data->out, 64),
    PAIR("warp_barriers", 264, 768, warps_apart, data->x, data->out, 48),
    PAIR("one_counter", 2 * KI, 256, one_counter, data->shuffled, data->counters + 8 * KI),
    PAIR("few_places", 4 * KI, 256, few_places, data->shuffled, data->counters + 3 * MI),
    PAIR("needless_atomics", 16 * KI, 256, needless_atomics, data->x, data->out),
    PAIR_ROW("more_blocks_before", 24, 256, strided_lots, data->x, data->out, 4 * MI),
    PAIR_ROW("more_blocks_after", 1056, 256, strided_lots, data->x, data->out, 4 * MI),
    PAIR_ROW("rows_in_parts_before", dim3(1, 32), 256, rows_in_parts, data->x, data->out, 256 * KI),
    PAIR_ROW("rows_in_parts_after", dim3(16, 32), 256, rows_in_parts, data->x, data->out, 16 * KI),
};
BANK_FAMILY(mends_work)
