/* edits_work.cu - kernels before and after one mend of what they compute with: lanes, spills and
 * local arrays, barriers, atomics. Marked as in edits_memory.cu. */
#include "../bank.h"

/* Every fourth element takes the long way, or every fourth warp. */
template <bool AFTER> __global__ void one_in_four(const float *x, float *out)
{
    int i = thread_index(), group = AFTER ? i >> 5 : i;
    float v = x[i];
    if ((group & 3) == 0)
#pragma unroll 1
        for (int k = 0; k < 64; k++) v = fmaf(v, 0.75f, 0.125f); /* mend: pair_one_in_four */
    out[i] = v;
}

/* Each lane turns as often as its own place says, or as its warp's. */
template <bool AFTER> __global__ void lengths_together(const float *x, float *out)
{
    int i = thread_index(), turns = ((AFTER ? i >> 5 : i) * 29) & 63;
    float v = x[i];
#pragma unroll 1
    for (int k = 0; k < turns; k++) v = sqrtf(v * v + 0.5f); /* mend: pair_lengths_together */
    out[i] = v;
}

/* Four dozen numbers under bounds that are too tight, and under looser ones. */
static __device__ __forceinline__ float four_dozen(const float *x, int turns)
{
    float v[48], sum = 0;
    int i = thread_index();
#pragma unroll
    for (int j = 0; j < 48; j++)
        v[j] = x[i + j * 512];
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
#pragma unroll
        for (int j = 0; j < 48; j++)
            v[j] = v[j] * v[(j + 11) % 48] + 0.125f; /* mend: pair_four_dozen */
    }
#pragma unroll
    for (int j = 0; j < 48; j++)
        sum += v[j];
    return sum;
}
__global__ void __launch_bounds__(512, 3) four_dozen_before(const float *x, float *out, int turns)
{
    out[thread_index()] = four_dozen(x, turns);
}
__global__ void __launch_bounds__(512, 1) four_dozen_after(const float *x, float *out, int turns)
{
    out[thread_index()] = four_dozen(x, turns);
}

/* Sixteen values by a place that is drawn while the kernel runs, or that is known. */
template <bool AFTER> __global__ void known_places(const float *x, float *out, int from)
{
    float v[16];
#pragma unroll
    for (int j = 0; j < 16; j++)
        v[j] = x[thread_index() + j * 128];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 48; k++)
        sum = sum * 0.5f + v[(AFTER ? k * 7 : k * 7 + from) & 15]; /* mend: pair_known_places */
    out[thread_index()] = sum;
}

/* Lanes of one warp hand on words: a barrier of the block in each step, or of the warp. */
template <bool AFTER> __global__ void handed_in_warps(const float *x, float *out, int turns)
{
    __shared__ float s_word[256];
    float v = x[thread_index()];
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
        s_word[threadIdx.x] = v;
        __syncwarp();
        v = v * 0.5f + s_word[threadIdx.x ^ 9];
        if (AFTER)
            __syncwarp();
        else
            __syncthreads(); /* mend: pair_handed_in_warps */
    }
    out[thread_index()] = v;
}

/* A barrier between steps that have words of their own, or none. */
template <bool AFTER> __global__ void rounds_apart(const float *x, float *out)
{
    __shared__ float s_v[12][256];
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 12; k++) {
        s_v[k][threadIdx.x] = x[(blockIdx.x * 12 + k) * 256 + threadIdx.x];
        __syncwarp();
        sum = sum * 0.5f + s_v[k][threadIdx.x ^ 3];
        if (!AFTER)
            __syncthreads(); /* mend: pair_words_of_rounds */
    }
    out[thread_index()] = sum;
}

/* Numbers above a limit are counted by each thread that has one, or by each warp. */
template <bool AFTER> __global__ void above_by_votes(const float *x, int *count, float limit)
{
    bool above = x[thread_index()] > limit;
    unsigned votes = __ballot_sync(0xFFFFFFFFu, above);
    if (AFTER ? (threadIdx.x & 31) == 0 : above)
        atomicAdd(count, AFTER ? __popc(votes) : 1); /* mend: pair_above_by_votes */
}

/* Weights are added to one of eight sums by each lane, or by a warp's first for all. */
template <bool AFTER> __global__ void weight_of_warps(const int *x, int *sum)
{
    int v = x[thread_index()] & 7;
    int all = __reduce_add_sync(0xFFFFFFFFu, v);
    if (!AFTER || (threadIdx.x & 31) == 0)
        atomicAdd(&sum[blockIdx.x & 7], AFTER ? all : v); /* mend: pair_weight_of_warps */
}

#define PAIR_ROW(name, grid, block, kernel, ...)                                                   \
    BANK_ROW("pair_" name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)
#define PAIR(name, grid, block, kernel, ...)                                                       \
    PAIR_ROW(name "_before", grid, block, kernel<false>, __VA_ARGS__),                             \
        PAIR_ROW(name "_after", grid, block, kernel<true>, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    PAIR("one_in_four", 8 * KI, 256, one_in_four, data->x, data->out),
    PAIR("lengths_together", 4 * KI, 256, lengths_together, data->x, data->out),
    PAIR_ROW("four_dozen_before", 396, 512, four_dozen_before, data->x, data->out, 16),
    PAIR_ROW("four_dozen_after", 396, 512, four_dozen_after, data->x, data->out, 16),
    PAIR("known_places", 4 * KI, 256, known_places, data->x, data->out, 16),
    PAIR("handed_in_warps", 1056, 256, handed_in_warps, data->x, data->out, 80),
    PAIR("words_of_rounds", 2 * KI, 256, rounds_apart, data->x, data->out),
    PAIR("above_by_votes", 4 * KI, 256, above_by_votes, data->x, data->counters + 3 * MI + 400,
         0.25f),
    PAIR("weight_of_warps", 4 * KI, 256, weight_of_warps, data->shuffled,
         data->counters + 3 * MI + 448),
};
BANK_FAMILY(edits_work)
