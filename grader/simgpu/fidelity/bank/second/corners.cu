/* corners.cu - launches that are ordinary in all but one thing: very small or of few blocks,
 * crowded by shared memory or registers, misaligned, contended, called through pointers. */
#include "../bank.h"

#include <cooperative_groups.h>

__global__ void add_one(const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[i] + 1;
}

/* A single thread that does everything. */
__global__ void one_thread(const float *x, float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    *out = sum;
}

/* A block's tile of dynamic shared memory, walked through in steps by its threads. */
__global__ void crowded_rounds(const float *x, float *out, int words, int rounds)
{
    extern __shared__ float s_words[];
    for (int j = threadIdx.x; j < words; j += blockDim.x)
        s_words[j] = x[blockIdx.x * words + j];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < rounds; k++)
        sum = sum * 0.5f + s_words[(threadIdx.x * 5 + k * 64) % words];
    out[thread_index()] = sum;
}

/* Ninety-six values a thread that live all through the loop. */
__global__ void __launch_bounds__(128) many_values(const float *x, float *out, int steps)
{
    float v[96], sum = 0;
#pragma unroll
    for (int j = 0; j < 96; j++)
        v[j] = x[thread_index() + j * 128];
#pragma unroll 1
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int j = 0; j < 96; j++)
            v[j] = v[j] * v[(j + 1) % 96] + 0.25f;
#pragma unroll
    for (int j = 0; j < 96; j++)
        sum += v[j];
    out[thread_index()] = sum;
}

/* A product of small matrices in arrays, with fewer registers than it wants. */
__global__ void __launch_bounds__(256, 6) small_matrices(const float *x, float *out)
{
    float a[6][6], b[6][6], c[6][6];
#pragma unroll
    for (int j = 0; j < 36; j++) {
        a[j / 6][j % 6] = x[j * thread_count() + thread_index()];
        b[j % 6][j / 6] = a[j / 6][j % 6] + 0.5f;
    }
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j < 6; j++) {
            c[i][j] = 0;
#pragma unroll
            for (int q = 0; q < 6; q++)
                c[i][j] += a[i][q] * b[q][j];
        }
#pragma unroll
    for (int j = 0; j < 36; j++)
        out[j * thread_count() + thread_index()] = c[j / 6][j % 6];
}

/* A copy that begins so many words off. */
__global__ void shifted_sum(const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i + 3] = x[i + 1] + x[i + 17] + x[i + 33];
}

/* Every record of 20 bytes, word by word. */
struct record {
    int key;
    float a, b, c, d;
};
__global__ void read_records(const struct record *records, float *out)
{
    struct record r = records[thread_index()];
    out[thread_index()] = r.key % 2 ? r.a * r.b : r.c * r.d;
}

/* One of 256 counters for each thread: spread, contended, or by lanes that agree first. */
__global__ void vote(int *counters, int targets, int steps)
{
    for (int k = 0; k < steps; k++)
        atomicAdd(&counters[(thread_index() * 37 + k) % targets * 8], 1);
}

__global__ void largest_of_all(const int *x, int *largest, int n)
{
    int most = 0;
    for (int i = thread_index(); i < n; i += thread_count())
        most = max(most, x[i]);
    atomicMax(largest, most);
}

__global__ void add_doubles(const double *x, double *sums)
{
    atomicAdd(&sums[thread_index() % 4096], x[thread_index() % MI]);
}

/* A lock in shared memory that warps take in turn. */
__global__ void locked_sum(const float *x, float *out)
{
    __shared__ int s_lock;
    __shared__ float s_sum;
    if (threadIdx.x == 0)
        s_lock = 0, s_sum = 0;
    __syncthreads();
    float v = x[thread_index()];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xFFFFFFFFu, v, d);
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&s_lock, 0, 1) != 0)
            ;
        __threadfence_block();
        *(volatile float *)&s_sum = *(volatile float *)&s_sum + v;
        __threadfence_block();
        atomicExch(&s_lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum;
}

/* Read again and again, from the L2 that holds it. */
__global__ void sweep_again(const float4 *x, float *out, int vectors, int sweeps)
{
    float sum = 0;
    for (int k = 0; k < sweeps; k++)
        for (int i = thread_index(); i < vectors; i += thread_count()) {
            float4 v = __ldcg(&x[(i + k * 4096) % vectors]);
            sum += v.x + v.y + v.z + v.w;
        }
    out[thread_index()] = sum;
}

typedef float (*step_function)(float, float);
static __device__ float step_add(float v, float a) { return v + a; }
static __device__ float step_scale(float v, float a) { return v * a; }
static __device__ step_function STEPS[] = {step_add, step_scale, fminf, fmaxf};

/* A small program for each element: functions by number, in a loop. */
__global__ void interpret(const float *x, const int *program, float *out, int length)
{
    float v = x[thread_index()];
    for (int k = 0; k < length; k++)
        v = STEPS[program[k] & 3](v, 0.75f);
    out[thread_index()] = v;
}

/* Groups of eight lanes sum up, by the library's words. */
__global__ void sum_by_eights(const float *x, float *out)
{
    auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    float v = x[thread_index()];
    for (int d = 4; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0)
        out[thread_index() / 8] = v;
}

/* A recurrence that only one warp of each block works on while the others wait. */
__global__ void leader_works(const float *x, float *out, int steps)
{
    __shared__ float s_value[32];
    if (threadIdx.x < 32) {
        float v = x[blockIdx.x * 32 + threadIdx.x];
        for (int k = 0; k < steps; k++)
            v = __fdividef(1.0f, 1.5f + v);
        s_value[threadIdx.x] = v;
    }
    __syncthreads();
    out[thread_index()] = s_value[threadIdx.x % 32] + threadIdx.x;
}

#define EACH(name, grid, block, shared_bytes, kernel, ...)                                         \
    BANK_ROW(name, BANK_COLD, grid, block, shared_bytes, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("add_one_1", 1, 1, 0, add_one, data->x, data->out, 1),
    EACH("add_one_1000", 4, 256, 0, add_one, data->x, data->out, 1000),
    EACH("add_one_100000_blocks_of_96", 1042, 96, 0, add_one, data->x, data->out, 100000),
    BANK_ROW("add_one_2M_warm", BANK_WARM, 8 * KI, 256, 0, add_one, data->x, data->out, 2 * MI),
    EACH("one_thread_1000", 1, 1, 0, one_thread, data->x, data->out, 1000),
    EACH("crowded_rounds_2_to_a_unit", 1056, 256, 96 * KI, crowded_rounds, data->x, data->out,
         24 * KI, 128),
    EACH("crowded_rounds_alone", 264, 512, 200 * KI, crowded_rounds, data->x, data->out, 50 * KI,
         256),
    EACH("many_values_24", 528, 128, 0, many_values, data->x, data->out, 24),
    EACH("small_matrices_256K", KI, 256, 0, small_matrices, data->x, data->out),
    EACH("shifted_sum_8M", 32 * KI, 256, 0, shifted_sum, data->x, data->out, 8 * MI),
    EACH("read_records_2M", 8 * KI, 256, 0, read_records, (const struct record *)data->x,
         data->out),
    EACH("vote_4_targets", 264, 256, 0, vote, data->counters + 2 * MI, 4, 8),
    EACH("vote_100000_targets", 1056, 256, 0, vote, data->counters + 2 * MI, 100000, 8),
    EACH("largest_of_all_4M", 264, 256, 0, largest_of_all, data->shuffled,
         data->counters + 6 * KI, 4 * MI),
    EACH("add_doubles_1M", 4 * KI, 256, 0, add_doubles, data->double_x, (double *)data->out),
    EACH("locked_sum_1M", 4 * KI, 256, 0, locked_sum, data->x, data->out),
    EACH("sweep_again_8M_bytes", 264, 1024, 0, sweep_again, (const float4 *)data->x, data->out,
         512 * KI, 6),
    EACH("sweep_again_128M_bytes", 264, 1024, 0, sweep_again, (const float4 *)data->x, data->out,
         8 * MI, 2),
    EACH("interpret_256K_24", KI, 256, 0, interpret, data->x, data->shuffled, data->out, 24),
    EACH("sum_by_eights_8M", 32 * KI, 256, 0, sum_by_eights, data->x, data->out),
    EACH("leader_works_2K", 2 * KI, 256, 0, leader_works, data->x, data->out, 256),
    EACH("tail_of_one_block", 1057, 256, 128, crowded_rounds, data->x, data->out, 32, 1000),
};
BANK_FAMILY(corners)
