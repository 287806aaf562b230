/* fixes_work.cu - kernels before and after one mend of what they compute with: lanes, spills and
 * local arrays, barriers, atomics, blocks. Marked as in fixes_memory.cu. */
#include "../bank.h"

/* The third lesson's two paths, shorter. */
static __device__ __forceinline__ float decay(float v)
{
#pragma unroll
    for (int k = 0; k < 64; k++)
        v = fmaf(v, 0.99f, 0.01f);
    return v;
}

static __device__ __forceinline__ float orbit(float v)
{
#pragma unroll
    for (int k = 0; k < 64; k++)
        v = fmaf(v, v, -1.4f);
    return v;
}

/* By the parity of the element, or of the warp. */
template <bool AFTER> __global__ void by_parity(const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    if ((AFTER ? i / 32 : i) % 2 == 0) /* mend: pair_even_and_odd */
        v = decay(v);
    else
        v = orbit(v);
    out[i] = v;
}

/* The third lesson's tree: which threads add at a level, by a remainder or in the front warps. */
template <bool AFTER> __global__ void tree_lanes(const float *x, float *out)
{
    __shared__ float s_sum[256];
    s_sum[threadIdx.x] = x[thread_index()];
    for (int step = 1; step < 256; step *= 2) {
        int at = AFTER ? threadIdx.x * 2 * step : threadIdx.x;
        bool mine = AFTER ? at < 256 : threadIdx.x % (2 * step) == 0;
        __syncthreads();
        if (mine)
            s_sum[at] += sqrtf(fabsf(s_sum[at + step])); /* mend: pair_tree_lanes */
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0];
}

/* Costly work where the data says so: one element in four, by chance or together. */
__global__ void where_needed(const float *x, const int *order, float *out)
{
    int i = thread_index();
    float v = x[i];
    if ((order[i] >> 8) % 4 == 1) /* mend: pair_where_needed */
        for (int k = 0; k < 40; k++)
            v = 0.5f * (v + 2 / (fabsf(v) + 0.5f));
    out[i] = v;
}

/* Rows of a triangle, a lane for each or a warp's lanes for the same. */
template <bool AFTER> __global__ void triangle_rows(const float *x, float *out)
{
    int i = thread_index(), turns = (AFTER ? i / 32 * 37 : i * 37) & 127;
    float v = x[i];
#pragma unroll 1
    for (int k = 0; k < turns; k++) v = fmaf(v, 0.5f, 0.25f); /* mend: pair_triangle_rows */
    out[i] = v;
}

/* Thirty sums under bounds that leave too few registers, and under none. */
static __device__ __forceinline__ float thirty(const float *x, int turns)
{
    float v[30], sum = 0;
    int i = thread_index();
#pragma unroll
    for (int j = 0; j < 30; j++)
        v[j] = x[i + j * 128];
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
#pragma unroll
        for (int j = 0; j < 30; j++)
            v[j] = v[j] * v[(j + 13) % 30] + 0.25f; /* mend: pair_tight_bounds */
    }
#pragma unroll
    for (int j = 0; j < 30; j++)
        sum += v[j];
    return sum;
}
__global__ void __launch_bounds__(1024, 2) thirty_before(const float *x, float *out, int turns)
{
    out[thread_index()] = thirty(x, turns);
}
__global__ void __launch_bounds__(1024, 1) thirty_after(const float *x, float *out, int turns)
{
    out[thread_index()] = thirty(x, turns);
}

/* Twelve values by an index that is not known until the kernel runs, or is. */
template <bool AFTER> __global__ void counted_places(const float *x, float *out, int shift)
{
    float v[12];
#pragma unroll
    for (int j = 0; j < 12; j++)
        v[j] = x[thread_index() + j * 256];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 36; k++)
        sum = sum * 0.75f + v[(AFTER ? k * 5 : k * 5 + shift) % 12]; /* mend: pair_counted_places */
    out[thread_index()] = sum;
}

/* A block's tile is read by the warp that wrote it only: a barrier of the block, or of the warp. */
template <bool AFTER> __global__ void turned_in_warps(const float *x, float *out, int turns)
{
    __shared__ float s_word[512];
    float v = x[thread_index()];
    for (int k = 0; k < turns; k++) {
        s_word[threadIdx.x] = v;
        if (AFTER)
            __syncwarp();
        else
            __syncthreads(); /* mend: pair_warp_alone */
        v = v * 0.5f + s_word[threadIdx.x ^ 5];
        __syncwarp();
    }
    out[thread_index()] = v;
}

/* A second barrier where every tile has a place of its own. */
template <bool AFTER> __global__ void tiles_of_their_own(const float *x, float *out)
{
    __shared__ float s_tile[16][256];
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        s_tile[k][threadIdx.x] = x[(blockIdx.x * 16 + k) * 256 + threadIdx.x];
        __syncthreads();
        sum = sum * 0.5f + s_tile[k][255 - threadIdx.x];
        if (!AFTER)
            __syncthreads(); /* mend: pair_needless_barrier */
    }
    out[thread_index()] = sum;
}

/* How many are positive: an atomic of each thread that found one, or of each warp. */
template <bool AFTER> __global__ void count_positive(const float *x, int *count)
{
    bool found = x[thread_index()] > 0;
    unsigned votes = __ballot_sync(0xFFFFFFFFu, found);
    if (AFTER ? threadIdx.x % 32 == 0 : found)
        atomicAdd(count, AFTER ? __popc(votes) : 1); /* mend: pair_count_positive */
}

/* Columns summed up: an atomic for every element, or for every sixteen. */
template <bool AFTER> __global__ void column_totals(const float *x, float *sums, int columns)
{
    int column = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        sum += x[(blockIdx.y * 16 + k) * columns + column];
        if (!AFTER || k == 15) {
            atomicAdd(&sums[column], sum); /* mend: pair_column_totals */
            sum = 0;
        }
    }
}

/* The fifth lesson's ending: the copy's loads one after another, or four under way at once. */
template <int AHEAD> __global__ void halves_of_rows(const float *x, float *out, int columns)
{
    float sum = 0;
    size_t row = (size_t)blockIdx.x * columns;
#pragma unroll AHEAD
    for (int j = threadIdx.x; j < columns; j += 128)
        sum += sqrtf(fabsf(x[row + j])); /* mend: pair_four_ahead */
    out[thread_index()] = sum;
}

/* Shared memory that is asked for and not used keeps other blocks out. */
__global__ void scaled_rows(const float *x, float *out)
{
    extern __shared__ float s_row[];
    s_row[threadIdx.x] = x[thread_index()];
    __syncthreads();
    out[thread_index()] = s_row[threadIdx.x ^ 64] * 0.5f; /* mend: pair_room_for_blocks */
}

/* A remainder by a number that is not known, or is a power of two that is. */
template <bool AFTER> __global__ void bias_of_column(const float *x, const float *bias, float *out,
                                                     int columns)
{
    int i = thread_index();
    out[i] = x[i] + bias[AFTER ? i & 4095 : i % columns]; /* mend: pair_remainder */
}

#define SHARED_ROW(name, grid, block, shared_bytes, kernel, ...)                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, shared_bytes, kernel, __VA_ARGS__)
#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    SHARED_ROW(name, grid, block, 0, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, kernel<false>, __VA_ARGS__),                             \
        PAIR_ROW(name "_after", grid, block, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR("even_and_odd", 8 * KI, 256, by_parity, data->x, data->out),
    PAIR("tree_lanes", 8 * KI, 256, tree_lanes, data->x, data->out),
    PAIR_ROW("where_needed_before", 4 * KI, 256, where_needed, data->x, data->shuffled, data->out),
    PAIR_ROW("where_needed_after", 4 * KI, 256, where_needed, data->x, data->in_order, data->out),
    PAIR("triangle_rows", 8 * KI, 256, triangle_rows, data->x, data->out),
    PAIR_ROW("tight_bounds_before", 264, 1024, thirty_before, data->x, data->out, 24),
    PAIR_ROW("tight_bounds_after", 264, 1024, thirty_after, data->x, data->out, 24),
    PAIR("counted_places", 4 * KI, 256, counted_places, data->x, data->out, 24),
    PAIR("warp_alone", 528, 512, turned_in_warps, data->x, data->out, 64),
    PAIR("needless_barrier", 2 * KI, 256, tiles_of_their_own, data->x, data->out),
    PAIR("count_positive", 4 * KI, 256, count_positive, data->x, data->counters + 96),
    PAIR("column_totals", dim3(8, 256), 256, column_totals, data->x, data->out, 2 * KI),
    PAIR_ROW("four_ahead_before", 1056, 128, halves_of_rows<1>, data->x, data->out, 16 * KI),
    PAIR_ROW("four_ahead_after", 1056, 128, halves_of_rows<4>, data->x, data->out, 16 * KI),
    SHARED_ROW("room_for_blocks_before", 16 * KI, 256, 64 * KI, scaled_rows, data->x,
               data->out),
    SHARED_ROW("room_for_blocks_after", 16 * KI, 256, 1 * KI, scaled_rows, data->x,
               data->out),
    PAIR("remainder", 64 * KI, 256, bias_of_column, data->x, data->y, data->out, 4 * KI),
};
BANK_FAMILY(fixes_work)
