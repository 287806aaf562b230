/* totals.cu - sums of rows and of whole arrays, scans and histograms, half of them at the size that
 * the lesson about divergence is timed with (16384 x 4096). */
#include "../bank.h"

static __device__ __forceinline__ float warp_total(float v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(0xFFFFFFFFu, v, d);
    return v;
}

/* A tree in shared memory for each row, as textbooks have it. */
__global__ void squares_by_tree(const float *x, float *out, int columns)
{
    __shared__ float s_sum[256];
    const float *row = x + (size_t)blockIdx.x * columns;
    float sum = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        sum += row[j] * row[j];
    s_sum[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0];
}

/* A warp for each row, eight to a block. */
__global__ void squares_by_warp(const float *x, float *out, int columns)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int j = lane; j < columns; j += 32) {
        float v = x[(size_t)row * columns + j];
        sum += v * v;
    }
    sum = warp_total(sum);
    if (lane == 0)
        out[row] = sum;
}

/* Vectors, then shuffles in two levels. */
__global__ void squares_by_vectors(const float4 *x, float *out, int vectors)
{
    __shared__ float s_part[8];
    const float4 *row = x + (size_t)blockIdx.x * vectors;
    float sum = 0;
#pragma unroll 4
    for (int j = threadIdx.x; j < vectors; j += 256) {
        float4 v = row[j];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = warp_total(sum);
    if (threadIdx.x % 32 == 0)
        s_part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_total(threadIdx.x < 8 ? s_part[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            out[blockIdx.x] = sum;
    }
}

/* A thread for each row. */
__global__ void squares_by_thread(const float *x, float *out, int rows, int columns)
{
    int row = thread_index();
    if (row >= rows)
        return;
    float sum = 0;
    for (int j = 0; j < columns; j++)
        sum += x[(size_t)row * columns + j] * x[(size_t)row * columns + j];
    out[row] = sum;
}

/* The whole array: the block that comes last adds up what the others left. */
__global__ void total_by_last_block(const float *x, float *parts, float *out, unsigned *arrived,
                                    int n)
{
    __shared__ float s_part[8];
    __shared__ bool s_last;
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count())
        sum += x[i];
    for (int turn = 0; turn < 2; turn++) {
        sum = warp_total(sum);
        if (threadIdx.x % 32 == 0)
            s_part[threadIdx.x / 32] = sum;
        __syncthreads();
        sum = warp_total(threadIdx.x < 8 ? s_part[threadIdx.x] : 0);
        if (turn == 1)
            break;
        if (threadIdx.x == 0) {
            parts[blockIdx.x] = sum;
            __threadfence();
            s_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!s_last)
            return;
        sum = 0;
        for (int i = threadIdx.x; i < (int)gridDim.x; i += 256)
            sum += __ldcg(&parts[i]);
    }
    if (threadIdx.x == 0)
        *out = sum;
}

/* A block's tree, then one atomic for the block. */
__global__ void total_by_atomics(const float *x, float *out, int n)
{
    __shared__ float s_sum[512];
    int i = thread_index();
    s_sum[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int s = 256; s > 0; s /= 2) {
        if (threadIdx.x < s)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, s_sum[0]);
}

/* The largest element and where it is. */
__global__ void largest_of_row(const float *x, int *out, int columns)
{
    __shared__ float s_value[128];
    __shared__ int s_at[128];
    float best = -2;
    int at = 0;
    for (int j = threadIdx.x; j < columns; j += 128) {
        float v = x[(size_t)blockIdx.x * columns + j];
        if (v > best)
            best = v, at = j;
    }
    s_value[threadIdx.x] = best;
    s_at[threadIdx.x] = at;
    for (int s = 64; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s && s_value[threadIdx.x + s] > s_value[threadIdx.x]) {
            s_value[threadIdx.x] = s_value[threadIdx.x + s];
            s_at[threadIdx.x] = s_at[threadIdx.x + s];
        }
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_at[0];
}

/* Sums of columns: a thread each, and blocks that share a column's rows. */
__global__ void columns_in_strips(const float *x, float *out, int rows, int columns)
{
    __shared__ float s_sum[8][32];
    int column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int row = blockIdx.y * 8 + threadIdx.y; row < rows; row += 8 * gridDim.y)
        sum += x[(size_t)row * columns + column];
    s_sum[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int j = 1; j < 8; j++)
            sum += s_sum[j][threadIdx.x];
        atomicAdd(&out[column % KI], sum);
    }
}

/* Running sums: distances that double, between two buffers. */
__global__ void scan_two_buffers(const float *x, float *out)
{
    __shared__ float s_sum[2][512];
    int from = 0, thread = threadIdx.x;
    s_sum[0][thread] = x[thread_index()];
    __syncthreads();
    for (int d = 1; d < 512; d *= 2, from ^= 1) {
        s_sum[from ^ 1][thread] = s_sum[from][thread] + (thread >= d ? s_sum[from][thread - d] : 0);
        __syncthreads();
    }
    out[thread_index()] = s_sum[from][thread];
}

/* Up and down a tree, with the bank conflicts that this has. */
__global__ void scan_up_and_down(const float *x, float *out)
{
    __shared__ float s_sum[1024];
    int thread = threadIdx.x, base = blockIdx.x * 1024, step = 1;
    s_sum[2 * thread] = x[base + 2 * thread];
    s_sum[2 * thread + 1] = x[base + 2 * thread + 1];
    for (int d = 512; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (thread < d)
            s_sum[step * (2 * thread + 2) - 1] += s_sum[step * (2 * thread + 1) - 1];
    }
    if (thread == 0)
        s_sum[1023] = 0;
    for (int d = 1; d < 1024; d *= 2) {
        step /= 2;
        __syncthreads();
        if (thread < d) {
            int left = step * (2 * thread + 1) - 1, right = step * (2 * thread + 2) - 1;
            float v = s_sum[left];
            s_sum[left] = s_sum[right];
            s_sum[right] += v;
        }
    }
    __syncthreads();
    out[base + 2 * thread] = s_sum[2 * thread];
    out[base + 2 * thread + 1] = s_sum[2 * thread + 1];
}

/* Bytes counted in a table for each warp, then merged. */
__global__ void histogram_by_warps(const unsigned *words, int *bins, int n)
{
    __shared__ int s_bins[8][256];
    for (int j = threadIdx.x; j < 8 * 256; j += 256)
        (&s_bins[0][0])[j] = 0;
    __syncthreads();
    int *mine = s_bins[threadIdx.x / 32];
    for (int i = thread_index(); i < n; i += thread_count()) {
        unsigned word = words[i];
        for (int byte = 0; byte < 4; byte++)
            atomicAdd(&mine[word >> 8 * byte & 255], 1);
    }
    __syncthreads();
    int sum = 0;
    for (int warp = 0; warp < 8; warp++)
        sum += s_bins[warp][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}

/* Floats sorted into 64 bins of global memory. */
__global__ void histogram_of_floats(const float *x, int *bins, int n)
{
    int i = thread_index();
    if (i < n)
        atomicAdd(&bins[min(63, (int)((x[i] + 1) * 32))], 1);
}

#define ROWWISE(name, grid, block, kernel, ...)                                                    \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, data->x, data->out, ##__VA_ARGS__)

static const struct bank_row ROWS[] = {
    ROWWISE("squares_by_tree_16384x4096", 16 * KI, 256, squares_by_tree, 4 * KI),
    ROWWISE("squares_by_tree_2048x4096", 2 * KI, 256, squares_by_tree, 4 * KI),
    ROWWISE("squares_by_warp_16384x4096", 2 * KI, 256, squares_by_warp, 4 * KI),
    BANK_ROW("squares_by_vectors_16384x4096", BANK_COLD, 16 * KI, 256, 0, squares_by_vectors,
             (const float4 *)data->x, data->out, KI),
    ROWWISE("squares_by_thread_4096x4096", 64, 64, squares_by_thread, 4 * KI, 4 * KI),
    ROWWISE("squares_by_warp_3000x77", 375, 256, squares_by_warp, 77),
    BANK_ROW("total_by_last_block_16M", BANK_COLD, 528, 256, 0, total_by_last_block, data->x,
             data->out, data->out + MI, (unsigned *)data->counters, 16 * MI),
    BANK_ROW("total_by_last_block_512K", BANK_COLD, 264, 256, 0, total_by_last_block, data->x,
             data->out, data->out + MI, (unsigned *)data->counters + 32, 512 * KI),
    BANK_ROW("total_by_atomics_8M", BANK_COLD, 16 * KI, 512, 0, total_by_atomics, data->x,
             data->sums + 514, 8 * MI),
    BANK_ROW("largest_of_row_8192x1000", BANK_COLD, 8 * KI, 128, 0, largest_of_row, data->x,
             (int *)data->out, 1000),
    BANK_ROW("columns_in_strips_4096x4096", BANK_COLD, dim3(128, 16), dim3(32, 8), 0,
             columns_in_strips, data->x, data->sums, 4 * KI, 4 * KI),
    ROWWISE("scan_two_buffers_2M", 4 * KI, 512, scan_two_buffers),
    ROWWISE("scan_up_and_down_2M", 2 * KI, 512, scan_up_and_down),
    BANK_ROW("histogram_by_warps_8M_bytes", BANK_COLD, 264, 256, 0, histogram_by_warps,
             (const unsigned *)data->x, data->counters + KI, 2 * MI),
    BANK_ROW("histogram_of_floats_1M", BANK_COLD, 4 * KI, 256, 0, histogram_of_floats, data->x,
             data->counters + 2 * KI, MI),
};
BANK_FAMILY(totals)
