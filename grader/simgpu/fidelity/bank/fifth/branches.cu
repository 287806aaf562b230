/* branches.cu - warps that part: by parity, by data, by length; function pointers, switches, local
 * arrays, spills, recursion. */
#include "../bank.h"

static __device__ __forceinline__ float settled(float v, int steps)
{
#pragma unroll 1
    for (int s = 0; s < steps; s++)
        v = fmaf(v, 0.99f, 0.01f);
    return v;
}

static __device__ __forceinline__ float wandered(float v, int steps)
{
#pragma unroll 1
    for (int s = 0; s < steps; s++)
        v = fmaf(v, v, -1.4f);
    return v;
}

/* Lesson 3's two kinds, interleaved: lanes of a warp take both ways. */
__global__ void kinds_by_parity(const float *x, float *out, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i % 2 ? wandered(x[i], steps) : settled(x[i], steps);
}

/* The same with whole warps for each kind, and memory two apart. */
__global__ void kinds_by_warp(const float *x, float *out, int steps)
{
    int base = blockIdx.x * blockDim.x, half = blockDim.x / 2, t = threadIdx.x;
    if (t < half)
        out[base + 2 * t] = settled(x[base + 2 * t], steps);
    else
        out[base + 2 * (t - half) + 1] = wandered(x[base + 2 * (t - half) + 1], steps);
}

/* And through shared memory, so that memory is read and written in order. */
__global__ void kinds_sorted_in_shared(const float *x, float *out, int steps)
{
    __shared__ float s_v[256];
    int t = threadIdx.x, at = t < 128 ? 2 * t : 2 * (t - 128) + 1, base = blockIdx.x * 256;
    s_v[t] = x[base + t];
    __syncthreads();
    s_v[at] = t < 128 ? settled(s_v[at], steps) : wandered(s_v[at], steps);
    __syncthreads();
    out[base + t] = s_v[t];
}

/* Each element needs as many turns as its data says. */
__global__ void turns_by_length(const int *lengths, const float *x, float *out, int mask)
{
    int i = thread_index(), turns = lengths[i] & mask;
    float v = x[i];
    for (int k = 0; k < turns; k++)
        v = v * 0.75f + 0.1f;
    out[i] = v;
}

/* A tenth of the elements take a long way; the others skip it. */
__global__ void seldom_long(const float *x, float *out, float least)
{
    int i = thread_index();
    float v = x[i];
    if (v > least)
        for (int k = 0; k < 40; k++)
            v = sqrtf(v * v + 0.01f);
    out[i] = v;
}

/* Eight ways by a switch on the data. */
__global__ void eight_ways(const int *kinds, const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    switch (kinds[i] & 7) {
    case 0: v = sinf(v); break;
    case 1: v = expf(v); break;
    case 2: v = v * v * v + 2 * v; break;
    case 3: v = rsqrtf(v * v + 1); break;
    case 4: v = logf(fabsf(v) + 1); break;
    case 5: v = tanhf(v); break;
    case 6: v = 1 / (v + 3); break;
    default: v = -v;
    }
    out[i] = v;
}

static __device__ __noinline__ float by_square(float v) { return v * v + 0.1f; }
static __device__ __noinline__ float by_root(float v) { return sqrtf(fabsf(v)) - 0.2f; }
static __device__ __noinline__ float by_half(float v) { return 0.5f * v + 0.3f; }
static __device__ __noinline__ float by_turn(float v) { return 0.9f - v; }

typedef float (*step_function)(float);
static __device__ const step_function STEPS[4] = {by_square, by_root, by_half, by_turn};

/* A pipeline of functions by pointer: alike in a warp, or each lane its own. */
template <bool APART> __global__ void steps_by_pointer(const int *order, const float *x, float *out)
{
    int i = thread_index(), which = order[APART ? i : i / 32];
    float v = x[i];
    for (int k = 0; k < 8; k++)
        v = STEPS[(which + k) & 3](v);
    out[i] = v;
}

/* Functions that are called, not inlined, in a loop. */
__global__ void steps_by_call(const float *x, float *out, int turns)
{
    float v = x[thread_index()];
    for (int k = 0; k < turns; k++)
        v = by_root(by_square(v)) + by_half(v);
    out[thread_index()] = v;
}

/* An array of 32 at places that the data decides: it lies in local memory. */
__global__ void sorted_in_local(const float *x, float *out)
{
    float v[32];
    int i = thread_index();
    for (int k = 0; k < 32; k++)
        v[k] = x[k * thread_count() + i];
    for (int gap = 13; gap; gap = gap / 3)
        for (int k = gap; k < 32; k++) {
            float mine = v[k];
            int at = k;
            for (; at >= gap && v[at - gap] > mine; at -= gap)
                v[at] = v[at - gap];
            v[at] = mine;
        }
    for (int k = 0; k < 8; k++)
        out[k * thread_count() + i] = v[4 * k];
}

/* Counts in an array of a thread's own. */
__global__ void counts_of_own(const unsigned char *x, int *out, int each)
{
    int counts[64];
    for (int k = 0; k < 64; k++)
        counts[k] = 0;
    for (int k = 0; k < each; k++)
        counts[x[(size_t)k * thread_count() + thread_index()] & 63]++;
    int most = 0;
    for (int k = 1; k < 64; k++)
        most = counts[k] > counts[most] ? k : most;
    out[thread_index()] = most;
}

/* 72 sums in a thread that may keep 64 registers. */
__global__ void __launch_bounds__(256, 4) sums_that_spill(const float *x, float *out, int turns)
{
    float sum[72] = {};
    int i = thread_index();
    for (int k = 0; k < turns; k++) {
        float v = x[k * thread_count() + i];
#pragma unroll
        for (int j = 0; j < 72; j++)
            sum[j] = sum[j] * v + (v + j);
    }
    float all = 0;
#pragma unroll
    for (int j = 0; j < 72; j++)
        all += sum[j];
    out[i] = all;
}

/* Ackermann's little sister: recursion on the stack. */
static __device__ __noinline__ int hops(int n)
{
    return n < 2 ? n : hops(n - 1) + hops(n - 3);
}

__global__ void hops_by_recursion(const int *x, int *out)
{
    out[thread_index()] = hops(6 + (x[thread_index()] & 3));
}

/* Loops in a loop, left early by what is found. */
__global__ void first_match(const int *x, const int *pattern, int *out, int span)
{
    int i = thread_index(), found = -1;
    int wanted = pattern[i & 1023] & 15;
    for (int k = 0; k < span; k++)
        if ((x[i + k] & 15) == wanted) {
            found = k;
            break;
        }
    out[i] = found;
}

/* Whole warps have nothing to do. */
__global__ void one_warp_in_eight(const float *x, float *out, int steps)
{
    int i = thread_index();
    if ((threadIdx.x / 32) % 8 == blockIdx.x % 8)
        out[i] = wandered(x[i], steps);
    else
        out[i] = 0;
}

#define WAY(name, grid, block, kernel, ...)                                                        \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    WAY("kinds_by_parity_262144", KI, 256, kinds_by_parity, data->x, data->out, 262144, 256),
    WAY("kinds_by_parity_1000001_of_32", 7813, 128, kinds_by_parity, data->x, data->out, 1000001,
        32),
    WAY("kinds_by_warp_262144", KI, 256, kinds_by_warp, data->x, data->out, 128),
    WAY("kinds_sorted_in_shared_262144", KI, 256, kinds_sorted_in_shared, data->x, data->out,
        128),
    WAY("kinds_sorted_in_shared_2M_of_16", 8 * KI, 256, kinds_sorted_in_shared, data->x, data->out,
        16),
    WAY("turns_by_length_512K_to_127", 2 * KI, 256, turns_by_length, data->shuffled, data->x,
        data->out, 127),
    WAY("turns_by_length_512K_in_order", 2 * KI, 256, turns_by_length, data->in_order, data->x,
        data->out, 127),
    WAY("seldom_long_2M", 8 * KI, 256, seldom_long, data->x, data->out, 0.8f),
    WAY("seldom_long_2M_hardly_ever", 8 * KI, 256, seldom_long, data->x, data->out, 0.998f),
    WAY("eight_ways_2M_shuffled", 8 * KI, 256, eight_ways, data->shuffled, data->x, data->out),
    WAY("steps_by_pointer_alike_512K", 2 * KI, 256, steps_by_pointer<false>, data->shuffled,
        data->x, data->out),
    WAY("steps_by_pointer_each_512K", 2 * KI, 256, steps_by_pointer<true>, data->shuffled, data->x,
        data->out),
    WAY("steps_by_call_512K", 2 * KI, 256, steps_by_call, data->x, data->out, 12),
    WAY("sorted_in_local_64K", 256, 256, sorted_in_local, data->x, data->out),
    WAY("counts_of_own_128K", 512, 256, counts_of_own, (const unsigned char *)data->x,
        (int *)data->out, 48),
    WAY("sums_that_spill_128K", 512, 256, sums_that_spill, data->x, data->out, 12),
    WAY("hops_by_recursion_64K", 256, 256, hops_by_recursion, data->shuffled, (int *)data->out),
    WAY("first_match_1M", 4 * KI, 256, first_match, data->shuffled, data->nearby, (int *)data->out,
        48),
    WAY("one_warp_in_eight_1M", 4 * KI, 256, one_warp_in_eight, data->x, data->out, 256),
};
BANK_FAMILY(branches)
