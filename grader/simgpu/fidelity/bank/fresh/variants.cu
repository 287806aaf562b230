/* variants.cu - what else unseen work did: loops with one load under way, reductions by hand,
 * atomics, doubles, stores in both arms of a branch, low occupancy, arrays in local memory. */
#include "../bank.h"

/* Sums of rows, a block each. The step is not known to the compiler: one load is under way. */
__global__ void row_sum_by_step(const float *x, float *out, int columns)
{
    __shared__ float s_sum[32];
    float sum = 0;
    for (int j = threadIdx.x; j < columns; j += (int)blockDim.x)
        sum += x[(size_t)blockIdx.x * columns + j];
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
    if (threadIdx.x % 32 == 0)
        s_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? s_sum[threadIdx.x] : 0;
        for (int d = 16; d; d /= 2)
            sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
        if (threadIdx.x == 0)
            out[blockIdx.x] = sum;
    }
}

/* Two rows a block, each by half of it. */
__global__ void row_sum_in_pairs(const float *x, float *out, int columns)
{
    int row = blockIdx.x * 2 + threadIdx.x / 128, thread = threadIdx.x % 128;
    float sum = 0;
    for (int j = thread; j < columns; j += (int)blockDim.x / 2) {
        float v = x[(size_t)row * columns + j];
        sum += v * v;
    }
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (thread % 32 == 0)
        atomicAdd(&out[row], sum);
}

/* As library block reductions do it: four vectors a thread, words raked by the first warp. */
__global__ void raking_sum(const float4 *x, float *out)
{
    __shared__ float s_word[256 + 8];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float4 v = x[(blockIdx.x * 4 + k) * 256 + threadIdx.x];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    s_word[threadIdx.x + threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += s_word[threadIdx.x * 8 + k + threadIdx.x / 4];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* A histogram of 256 bins a block, then into the common one. */
__global__ void histogram_by_block(const int *x, int *bins, int per_thread)
{
    __shared__ int s_bin[256];
    s_bin[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < per_thread; k++)
        atomicAdd(&s_bin[x[(blockIdx.x * per_thread + k) * 256 + threadIdx.x] & 255], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s_bin[threadIdx.x]);
}

/* Places in a list: one returning atomic for each element that is kept. */
__global__ void keep_positive(const float *x, float *out, int *count)
{
    int i = thread_index();
    if (x[i] > 0.75f)
        out[atomicAdd(count + blockIdx.x % 64 * 32, 1) & (MI - 1)] = x[i];
}

/* The largest of each of 4096 groups, by compare and swap in a loop. */
__global__ void largest_by_cas(const float *x, int *groups)
{
    int i = thread_index(), group = i % 4096, old = groups[group];
    int mine = __float_as_int(fabsf(x[i]));
    while (mine > old) {
        int seen = atomicCAS(&groups[group], old, mine);
        if (seen == old)
            break;
        old = seen;
    }
}

/* The same store in both arms: ptxas makes one of them. */
__global__ void store_in_both(const float *x, float *out)
{
    int i = thread_index();
    float v = x[i];
    if (v > 0)
        out[i] = v * 0.5f + 1;
    else
        out[i] = v * v - 1;
}

/* Arms too long for a select, by warp. */
__global__ void store_in_long_arms(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v = x[i];
    if (i / 32 % 2) {
        for (int k = 0; k < steps; k++)
            v = v * 0.5f + 1;
        out[i] = v;
    } else {
        for (int k = 0; k < steps; k++)
            v = v * v - 0.5f;
        out[i] = v;
    }
}

/* float4 through a tile of 64 x 64 words: two lanes to a bank on the way out. */
__global__ void transpose_vectors(const float *in, float *out, int n)
{
    __shared__ float s_tile[64][65];
    int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16;
    int column0 = blockIdx.x * 64, row0 = blockIdx.y * 64;
#pragma unroll
    for (int j = 0; j < 64; j += 16) {
        float4 v = *(const float4 *)&in[(row0 + y + j) * n + column0 + x];
        s_tile[y + j][x] = v.x;
        s_tile[y + j][x + 1] = v.y;
        s_tile[y + j][x + 2] = v.z;
        s_tile[y + j][x + 3] = v.w;
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 64; j += 16)
        *(float4 *)&out[(column0 + y + j) * n + row0 + x] =
            make_float4(s_tile[x][y + j], s_tile[x + 1][y + j], s_tile[x + 2][y + j],
                        s_tile[x + 3][y + j]);
}

/* A copy whose block wants most of the shared memory: one block to a multiprocessor. */
__global__ void copy_crowded_out(const float *x, float *out)
{
    extern __shared__ float s_words[];
    s_words[threadIdx.x] = x[thread_index()];
    __syncwarp();
    out[thread_index()] = s_words[threadIdx.x] * 2;
}

/* Sorting eight numbers in an array that is indexed by data. */
__global__ void sort_local(const float *x, float *out)
{
    float v[8];
    int count = 0;
    for (int k = 0; k < 8; k++) {
        float next = x[(blockIdx.x * 8 + k) * 256 + threadIdx.x];
        int at = count++;
        for (; at > 0 && v[at - 1] > next; at--)
            v[at] = v[at - 1];
        v[at] = next;
    }
    out[thread_index()] = v[threadIdx.x % 8];
}

/* Arithmetic in double precision: sums, a division, a root. */
__global__ void double_norm(const double *x, double *out, int steps)
{
    double v = x[thread_index()], sum = 1;
    for (int k = 0; k < steps; k++) {
        sum += v * v;
        v = v * 0.999 + 0.001;
    }
    out[thread_index()] = v / sqrt(sum);
}

__global__ void double_scale(const double *x, double *out, double a)
{
    int i = thread_index();
    out[i] = a * x[i] + 1;
}

#define MILLIONS(name, kernel, ...) BANK_ROW(name, BANK_COLD, 16 * KI, 256, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    BANK_ROW("row_sum_by_step_4096", BANK_COLD, 4 * KI, 256, 0, row_sum_by_step, data->x, data->out,
             4 * KI),
    BANK_ROW("row_sum_by_step_1000", BANK_COLD, 4 * KI, 128, 0, row_sum_by_step, data->x, data->out,
             1000),
    BANK_ROW("row_sum_in_pairs", BANK_COLD, 2 * KI, 256, 0, row_sum_in_pairs, data->x, data->out,
             4 * KI),
    BANK_ROW("raking_sum", BANK_COLD, 4 * KI, 256, 0, raking_sum, (const float4 *)data->x,
             data->out),
    BANK_ROW("histogram_by_block", BANK_COLD, 528, 256, 0, histogram_by_block, data->shuffled,
             data->counters, 31),
    MILLIONS("keep_positive", keep_positive, data->x, data->out, data->counters),
    BANK_ROW("largest_by_cas", BANK_COLD, 16 * KI, 256, 0, largest_by_cas, data->x,
             data->counters + MI),
    MILLIONS("store_in_both", store_in_both, data->x, data->out),
    BANK_ROW("store_in_long_arms", BANK_COLD, 4 * KI, 256, 0, store_in_long_arms, data->x,
             data->out, 64),
    BANK_ROW("transpose_vectors_2048", BANK_COLD, dim3(32, 32), 256, 0, transpose_vectors, data->x,
             data->out, 2048),
    BANK_ROW("copy_crowded_out", BANK_COLD, 16 * KI, 256, 160 * KI, copy_crowded_out, data->x,
             data->out),
    BANK_ROW("sort_local", BANK_COLD, 2 * KI, 256, 0, sort_local, data->x, data->out),
    BANK_ROW("double_norm", BANK_COLD, 1056, 256, 0, double_norm, data->double_x,
             (double *)data->out, 256),
    BANK_ROW("double_scale", BANK_COLD, 4 * KI, 256, 0, double_scale, data->double_x,
             (double *)data->out, 1.5),
};
BANK_FAMILY(variants)
