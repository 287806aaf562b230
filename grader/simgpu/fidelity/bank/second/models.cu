/* models.cu - pieces of language models: softmax, norms, attention, tables, one row at a time. */
#include "../bank.h"

static __device__ __forceinline__ float warp_total(float v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    return v;
}

static __device__ __forceinline__ float warp_largest(float v)
{
    for (int d = 16; d; d >>= 1)
        v = fmaxf(v, __shfl_xor_sync(0xFFFFFFFFu, v, d));
    return v;
}

/* A warp for each row, read three times. */
__global__ void softmax_three_reads(const float *x, float *out, int columns)
{
    size_t row = (size_t)(thread_index() / 32) * columns;
    int lane = threadIdx.x % 32;
    float most = -1e30f, sum = 0;
    for (int j = lane; j < columns; j += 32)
        most = fmaxf(most, x[row + j]);
    most = warp_largest(most);
    for (int j = lane; j < columns; j += 32)
        sum += expf(x[row + j] - most);
    sum = warp_total(sum);
    for (int j = lane; j < columns; j += 32)
        out[row + j] = expf(x[row + j] - most) / sum;
}

/* A row in the registers of a block of 1024, all steps through shared memory trees. */
__global__ void softmax_in_registers(const float *x, float *out)
{
    __shared__ float s_value[1024];
    size_t at = (size_t)blockIdx.x * 1024 + threadIdx.x;
    float v = x[at];
    s_value[threadIdx.x] = v;
    __syncthreads();
    for (int s = 512; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            s_value[threadIdx.x] = fmaxf(s_value[threadIdx.x], s_value[threadIdx.x + s]);
        __syncthreads();
    }
    float power = __expf(v - s_value[0]);
    __syncthreads();
    s_value[threadIdx.x] = power;
    __syncthreads();
    for (int s = 512; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            s_value[threadIdx.x] += s_value[threadIdx.x + s];
        __syncthreads();
    }
    out[at] = power / s_value[0];
}

/* Root mean square, the row kept in dynamic shared memory. */
__global__ void norm_by_squares(const float *x, const float *weight, float *out, int columns)
{
    extern __shared__ float s_row[];
    __shared__ float s_part[8];
    const float *row = x + (size_t)blockIdx.x * columns;
    float sum = 0;
    for (int j = threadIdx.x; j < columns; j += 256) {
        s_row[j] = row[j];
        sum += s_row[j] * s_row[j];
    }
    sum = warp_total(sum);
    if (threadIdx.x % 32 == 0)
        s_part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int warp = 0; warp < 8; warp++)
        sum += s_part[warp];
    float scale = rsqrtf(sum / columns + 1e-6f);
    for (int j = threadIdx.x; j < columns; j += 256)
        out[(size_t)blockIdx.x * columns + j] = s_row[j] * scale * weight[j];
}

/* Mean and variance in one pass (Welford), half precision in and out. */
__global__ void norm_by_welford(const __half *x, __half *out, int columns)
{
    int lane = threadIdx.x % 32, count = 0;
    size_t row = (size_t)(thread_index() / 32) * columns;
    float mean = 0, squares = 0;
    for (int j = lane; j < columns; j += 32) {
        float v = __half2float(x[row + j]), off = v - mean;
        mean += off / ++count;
        squares += off * (v - mean);
    }
    float all = warp_total(mean) / 32;
    squares = warp_total(squares + count * (mean - all) * (mean - all));
    float scale = rsqrtf(squares / columns + 1e-5f);
    for (int j = lane; j < columns; j += 32)
        out[row + j] = __float2half((__half2float(x[row + j]) - all) * scale);
}

/* One query against a cache of keys and values, a block for each head; 64 words a key. */
__global__ void attention_one_query(const float *q, const float *keys, const float *values,
                                    float *out, int length)
{
    __shared__ float s_score[2048], s_q[64], s_part[8];
    int head = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 64)
        s_q[threadIdx.x] = q[head * 64 + threadIdx.x];
    __syncthreads();
    float most = -1e30f;
    for (int t = warp; t < length; t += 8) {
        const float *key = keys + ((size_t)head * length + t) * 64;
        float score = warp_total(s_q[lane] * key[lane] + s_q[lane + 32] * key[lane + 32]) * 0.125f;
        most = fmaxf(most, score);
        if (lane == 0)
            s_score[t] = score;
    }
    if (lane == 0)
        s_part[warp] = most;
    __syncthreads();
    for (int j = 0; j < 8; j++)
        most = fmaxf(most, s_part[j]);
    float sum = 0, total = 0;
    int word = threadIdx.x % 64;
    for (int t = threadIdx.x / 64; t < length; t += 4) {
        float power = __expf(s_score[t] - most);
        total += power;
        sum += power * values[((size_t)head * length + t) * 64 + word];
    }
    atomicAdd(&out[head * 64 + word], sum / total * 0.25f);
}

/* Attention with tiles of 32 keys, a query for each thread, its sums in registers. */
__global__ void attention_tiles(const float *q, const float *keys, const float *values, float *out,
                                int length)
{
    __shared__ float s_key[32][32], s_value[32][32];
    size_t base = (size_t)blockIdx.y * length * 32;
    int query = blockIdx.x * 128 + threadIdx.x;
    float mine[32], sum[32] = {}, most = -1e30f, total = 0;
    for (int d = 0; d < 32; d++)
        mine[d] = q[base + (size_t)query * 32 + d];
    for (int t = 0; t < length; t += 32) {
        __syncthreads();
        for (int j = threadIdx.x; j < 1024; j += 128) {
            s_key[j / 32][j % 32] = keys[base + t * 32 + j];
            s_value[j / 32][j % 32] = values[base + t * 32 + j];
        }
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            float score = 0;
#pragma unroll
            for (int d = 0; d < 32; d++)
                score += mine[d] * s_key[j][d];
            float larger = fmaxf(most, score), old = __expf(most - larger);
            float power = __expf(score - larger);
            total = total * old + power;
            most = larger;
#pragma unroll
            for (int d = 0; d < 32; d++)
                sum[d] = sum[d] * old + power * s_value[j][d];
        }
    }
    for (int d = 0; d < 32; d++)
        out[base + (size_t)query * 32 + d] = sum[d] / total;
}

/* Rows of a table by number: a block for each word of a text. */
__global__ void look_up_rows(const int *words, const float4 *table, float4 *out, int vectors)
{
    int word = words[blockIdx.x] & 0xFFFF;
    for (int j = threadIdx.x; j < vectors; j += blockDim.x)
        out[(size_t)blockIdx.x * vectors + j] = table[(size_t)word * vectors + j];
}

/* Rotary positions: an angle for each pair of words. */
__global__ void rotate_pairs(const float2 *x, float2 *out, int pairs, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    int position = i / pairs, j = i % pairs;
    float angle = position * powf(10000.0f, -2.0f * j / (2 * pairs)), sine, cosine;
    sincosf(angle, &sine, &cosine);
    float2 v = x[i];
    out[i] = make_float2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

/* The loss of a row: minus the logarithm of its target's share. */
__global__ void cross_entropy(const float *x, const int *targets, float *out, int columns)
{
    __shared__ float s_part[32];
    const float *row = x + (size_t)blockIdx.x * columns;
    float sum = 0;
    for (int j = threadIdx.x; j < columns; j += 1024)
        sum += expf(row[j]);
    sum = warp_total(sum);
    if (threadIdx.x % 32 == 0)
        s_part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_total(s_part[threadIdx.x]);
        if (threadIdx.x == 0)
            out[blockIdx.x] = logf(sum) - row[targets[blockIdx.x] % columns];
    }
}

#define EACH(name, grid, block, shared_bytes, kernel, ...)                                         \
    BANK_ROW(name, BANK_COLD, grid, block, shared_bytes, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("softmax_three_reads_8192x2000", KI, 256, 0, softmax_three_reads, data->x, data->out,
         2000),
    EACH("softmax_in_registers_8192x1024", 8 * KI, 1024, 0, softmax_in_registers, data->x,
         data->out),
    EACH("norm_by_squares_4096x4096", 4 * KI, 256, 16 * KI, norm_by_squares, data->x, data->y,
         data->out, 4 * KI),
    EACH("welford_8192x768", KI, 256, 0, norm_by_welford, data->half_x,
         (__half *)data->out, 768),
    EACH("attention_decode_128x2000", 128, 256, 0, attention_one_query, data->y, data->x,
         data->y, data->out, 2000),
    EACH("attention_tiles_32x512", dim3(4, 32), 128, 0, attention_tiles, data->x, data->y, data->x,
         data->out, 512),
    EACH("look_up_rows_16K_of_256", 16 * KI, 64, 0, look_up_rows, data->shuffled,
         (const float4 *)data->x, (float4 *)data->out, 64),
    EACH("rotate_pairs_2M", 8 * KI, 256, 0, rotate_pairs, (const float2 *)data->x,
         (float2 *)data->out, 64, 2 * MI),
    EACH("cross_entropy_512x50257", 512, 1024, 0, cross_entropy, data->x, data->shuffled, data->out,
         50257),
};
BANK_FAMILY(models)
