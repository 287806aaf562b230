/* reduction.cu - many numbers to one: the classic ladder, sums of rows and columns, and a scan. */
#include "bank.h"

enum { BLOCK = 256 };

/* Pairs further and further apart, by lane number: half the lanes of every warp idle, and soon
 * warps for a single lane. */
__global__ void reduce_modulo(const float *x, float *out)
{
    __shared__ float s_sum[BLOCK];
    int t = threadIdx.x;
    s_sum[t] = x[thread_index()];
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t % (2 * d) == 0)
            s_sum[t] += s_sum[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s_sum[0];
}

/* Full warps, but their words lie 2, 4, 8, ... apart: bank conflicts. */
__global__ void reduce_strided(const float *x, float *out)
{
    __shared__ float s_sum[BLOCK];
    int t = threadIdx.x;
    s_sum[t] = x[thread_index()];
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (2 * d * t < BLOCK)
            s_sum[2 * d * t] += s_sum[2 * d * t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s_sum[0];
}

/* Halves: full warps and neighbouring words. */
__global__ void reduce_halves(const float *x, float *out)
{
    __shared__ float s_sum[BLOCK];
    int t = threadIdx.x;
    s_sum[t] = x[thread_index()];
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            s_sum[t] += s_sum[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s_sum[0];
}

static __device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    return v;
}

/* The sum over a block of up to 1024 threads, for its first thread. */
static __device__ float block_sum(float v)
{
    __shared__ float s_warp[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warp_sum(v);
    if (lane == 0)
        s_warp[warp] = v;
    __syncthreads();
    if (warp == 0)
        v = warp_sum(lane < (int)blockDim.x / 32 ? s_warp[lane] : 0.0f);
    return v;
}

/* Registers of the warp instead of shared memory. */
__global__ void reduce_shuffle(const float *x, float *out)
{
    float sum = block_sum(x[thread_index()]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* Many elements a thread, 16 bytes at a time, and one reduction at the end. */
__global__ void reduce_grid_stride(const float4 *x, float *out, int n)
{
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count()) {
        float4 v = x[i];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* A thread for each row: lanes are a row apart. */
__global__ void row_sums_thread(const float *x, float *out, int columns)
{
    int row = thread_index();
    float sum = 0;
    for (int j = 0; j < columns; j++)
        sum += x[row * columns + j];
    out[row] = sum;
}

/* A warp for each row. */
__global__ void row_sums_warp(const float *x, float *out, int columns)
{
    int row = thread_index() / 32, lane = (int)(threadIdx.x % 32);
    float sum = 0;
    for (int j = lane; j < columns; j += 32)
        sum += x[row * columns + j];
    sum = warp_sum(sum);
    if (lane == 0)
        out[row] = sum;
}

/* A block for each row. */
__global__ void row_sums_block(const float *x, float *out, int columns)
{
    float sum = 0;
    for (int j = (int)threadIdx.x; j < columns; j += (int)blockDim.x)
        sum += x[(int)blockIdx.x * columns + j];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* A thread for each column of a strip of rows: neighbours all the way. */
__global__ void column_sums(const float *x, float *out, int rows, int columns)
{
    int column = thread_index();
    float sum = 0;
    for (int row = 0; row < rows; row++)
        sum += x[((int)blockIdx.y * rows + row) * columns + column];
    out[(int)blockIdx.y * columns + column] = sum;
}

/* Inclusive prefix sums of 1024 numbers, ten steps with two barriers each. */
__global__ void scan_block(const float *x, float *out)
{
    __shared__ float s_sum[1024];
    int t = threadIdx.x;
    s_sum[t] = x[thread_index()];
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        float before = t >= d ? s_sum[t - d] : 0.0f;
        __syncthreads();
        s_sum[t] += before;
        __syncthreads();
    }
    out[thread_index()] = s_sum[t];
}

/* Dot product of two vectors, as far as one number a block. */
__global__ void dot(const float4 *x, const float4 *y, float *out, int n)
{
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count()) {
        float4 a = x[i], b = y[i];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* Matrix times vector, a warp for each row: every weight is used once. */
__global__ void matrix_vector(const float4 *matrix, const float4 *vector, float *out, int columns)
{
    int row = thread_index() / 32, lane = (int)(threadIdx.x % 32);
    float sum = 0;
    for (int j = lane; j < columns / 4; j += 32) {
        float4 a = matrix[row * (columns / 4) + j], b = vector[j];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    sum = warp_sum(sum);
    if (lane == 0)
        out[row] = sum;
}

#define LADDER(name, kernel) BANK_ROW(name, BANK_COLD, 8 * KI, BLOCK, 0, kernel, data->x, data->out)

static const struct bank_row ROWS[] = {
    LADDER("reduce_modulo_2M", reduce_modulo),
    LADDER("reduce_strided_2M", reduce_strided),
    LADDER("reduce_halves_2M", reduce_halves),
    LADDER("reduce_shuffle_2M", reduce_shuffle),
    BANK_ROW("reduce_grid_stride_2M", BANK_COLD, 528, BLOCK, 0, reduce_grid_stride,
             (float4 *)data->x, data->out, 512 * KI),
    BANK_ROW("reduce_grid_stride_32M", BANK_COLD, 528, BLOCK, 0, reduce_grid_stride,
             (float4 *)data->x, data->out, 8 * MI),
    BANK_ROW("row_sums_thread_16384x256", BANK_COLD, 64, 256, 0, row_sums_thread, data->x,
             data->out, 256),
    BANK_ROW("row_sums_warp_16384x256", BANK_COLD, 2 * KI, 256, 0, row_sums_warp, data->x,
             data->out, 256),
    BANK_ROW("row_sums_block_4096x4096", BANK_COLD, 4 * KI, 256, 0, row_sums_block, data->x,
             data->out, 4096),
    BANK_ROW("column_sums_4096x4096", BANK_COLD, dim3(16, 64), 256, 0, column_sums, data->x,
             data->out, 64, 4096),
    BANK_ROW("scan_block_1M", BANK_COLD, 1 * KI, 1024, 0, scan_block, data->x, data->out),
    BANK_ROW("dot_16M", BANK_COLD, 528, BLOCK, 0, dot, (float4 *)data->x, (float4 *)data->y,
             data->out, 4 * MI),
    BANK_ROW("matrix_vector_4096x4096", BANK_COLD, 512, 256, 0, matrix_vector, (float4 *)data->x,
             (float4 *)data->y, data->out, 4096),
};
BANK_FAMILY(reduction)
