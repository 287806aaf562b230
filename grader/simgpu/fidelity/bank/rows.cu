/* rows.cu - softmax and layer normalisation: each row is read, summed up, read again and written.
 */
#include "bank.h"

static __device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    return v;
}

static __device__ float warp_most(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(0xFFFFFFFFu, v, d));
    return v;
}

/* Over a block of 256 threads, for all of them. s_warp is shared memory for eight numbers. */
static __device__ float block_sum(float v, float *s_warp)
{
    v = warp_sum(v);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        s_warp[threadIdx.x / 32] = v;
    __syncthreads();
    return warp_sum(threadIdx.x % 32 < 8 ? s_warp[threadIdx.x % 32] : 0.0f);
}

static __device__ float block_most(float v, float *s_warp)
{
    v = warp_most(v);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        s_warp[threadIdx.x / 32] = v;
    __syncthreads();
    return warp_most(s_warp[threadIdx.x % 8]);
}

/* A thread for each row, three passes: lanes are a row apart. */
__global__ void softmax_thread(const float *x, float *out, int columns)
{
    const float *row = x + thread_index() * columns;
    float most = -INFINITY, sum = 0;
    for (int j = 0; j < columns; j++)
        most = fmaxf(most, row[j]);
    for (int j = 0; j < columns; j++)
        sum += __expf(row[j] - most);
    for (int j = 0; j < columns; j++)
        out[thread_index() * columns + j] = __expf(row[j] - most) / sum;
}

/* A warp for each row of 512, kept in registers: one read, one write. */
__global__ void softmax_warp_512(const float *x, float *out)
{
    int first = thread_index() / 32 * 512 + (int)(threadIdx.x % 32);
    float v[16], most = -INFINITY, sum = 0;
    for (int j = 0; j < 16; j++) {
        v[j] = x[first + 32 * j];
        most = fmaxf(most, v[j]);
    }
    most = warp_most(most);
    for (int j = 0; j < 16; j++) {
        v[j] = __expf(v[j] - most);
        sum += v[j];
    }
    sum = warp_sum(sum);
    for (int j = 0; j < 16; j++)
        out[first + 32 * j] = v[j] / sum;
}

/* A block for each row, three passes over global memory; the later two may hit a cache. */
__global__ void softmax_block(const float *x, float *out, int columns)
{
    __shared__ float s_warp[8];
    const float *row = x + (int)blockIdx.x * columns;
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < columns; j += 256)
        most = fmaxf(most, row[j]);
    most = block_most(most, s_warp);
    for (int j = threadIdx.x; j < columns; j += 256)
        sum += __expf(row[j] - most);
    sum = block_sum(sum, s_warp);
    for (int j = threadIdx.x; j < columns; j += 256)
        out[(int)blockIdx.x * columns + j] = __expf(row[j] - most) / sum;
}

/* Two passes: the sum is corrected whenever a larger element turns up. */
__global__ void softmax_online(const float *x, float *out, int columns)
{
    __shared__ float s_warp[8];
    const float *row = x + (int)blockIdx.x * columns;
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < columns; j += 256) {
        float larger = fmaxf(most, row[j]);
        sum = sum * __expf(most - larger) + __expf(row[j] - larger);
        most = larger;
    }
    float all = block_most(most, s_warp);
    sum = block_sum(sum * __expf(most - all), s_warp);
    for (int j = threadIdx.x; j < columns; j += 256)
        out[(int)blockIdx.x * columns + j] = __expf(row[j] - all) / sum;
}

/* A block for each row: mean, then variance, then the result. */
__global__ void layernorm_block(const float *x, const float *gain, float *out, int columns)
{
    __shared__ float s_warp[8];
    const float *row = x + (int)blockIdx.x * columns;
    float sum = 0, squares = 0;
    for (int j = threadIdx.x; j < columns; j += 256)
        sum += row[j];
    float mean = block_sum(sum, s_warp) / columns;
    for (int j = threadIdx.x; j < columns; j += 256)
        squares += (row[j] - mean) * (row[j] - mean);
    float scale = rsqrtf(block_sum(squares, s_warp) / columns + 1e-5f);
    for (int j = threadIdx.x; j < columns; j += 256)
        out[(int)blockIdx.x * columns + j] = (row[j] - mean) * scale * gain[j];
}

static __device__ float sum_of(float4 v)
{
    return v.x + v.y + v.z + v.w;
}

/* A warp for each row of 512, 16 bytes at a time, kept in registers. */
__global__ void layernorm_warp_512(const float4 *x, const float4 *gain, float4 *out)
{
    int lane = threadIdx.x % 32, first = thread_index() / 32 * 128 + lane;
    float4 v[4];
    float sum = 0, squares = 0;
    for (int j = 0; j < 4; j++) {
        v[j] = x[first + 32 * j];
        sum += sum_of(v[j]);
    }
    float mean = warp_sum(sum) / 512;
    for (int j = 0; j < 4; j++) {
        v[j] = make_float4(v[j].x - mean, v[j].y - mean, v[j].z - mean, v[j].w - mean);
        squares += v[j].x * v[j].x + v[j].y * v[j].y + v[j].z * v[j].z + v[j].w * v[j].w;
    }
    float scale = rsqrtf(warp_sum(squares) / 512 + 1e-5f);
    for (int j = 0; j < 4; j++) {
        float4 g = gain[lane + 32 * j];
        out[first + 32 * j] = make_float4(v[j].x * scale * g.x, v[j].y * scale * g.y,
                                          v[j].z * scale * g.z, v[j].w * scale * g.w);
    }
}

static const struct bank_row ROWS[] = {
    BANK_ROW("softmax_thread_8192x256", BANK_COLD, 64, 128, 0, softmax_thread, data->x, data->out,
             256),
    BANK_ROW("softmax_warp_16384x512", BANK_COLD, 2 * KI, 256, 0, softmax_warp_512, data->x,
             data->out),
    BANK_ROW("softmax_block_2048x2048", BANK_COLD, 2 * KI, 256, 0, softmax_block, data->x,
             data->out, 2048),
    BANK_ROW("softmax_block_8192x1024", BANK_COLD, 8 * KI, 256, 0, softmax_block, data->x,
             data->out, 1024),
    BANK_ROW("softmax_online_2048x2048", BANK_COLD, 2 * KI, 256, 0, softmax_online, data->x,
             data->out, 2048),
    BANK_ROW("layernorm_block_4096x2048", BANK_COLD, 4 * KI, 256, 0, layernorm_block, data->x,
             data->y, data->out, 2048),
    BANK_ROW("layernorm_warp_16384x512", BANK_COLD, 2 * KI, 256, 0, layernorm_warp_512,
             (float4 *)data->x, (float4 *)data->y, (float4 *)data->out),
};
BANK_FAMILY(rows)
