/* matmuls.cu - products of matrices on the ordinary units, row by row, and of matrices and vectors.
 * C is m x n. */
#include "../bank.h"

#include <cuda_pipeline.h>

/* A thread for each element; neighbours in x share a row of A. */
__global__ void gemm_plain(const float *a, const float *b, float *c, int m, int n, int k)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

/* The same with the axes changed round, as the lesson begins. */
__global__ void gemm_axes_swapped(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[(long long)row * k + i] * b[(long long)i * n + column];
    c[(long long)row * n + column] = sum;
}

/* Eight rows of a column for each thread: B goes through registers, A through shared memory. */
__global__ void gemm_column_of_eight(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[64][8], s_b[8][64];
    int x = threadIdx.x % 64, y = threadIdx.x / 64, row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[8] = {};
    for (int p = 0; p < k; p += 8) {
        s_a[threadIdx.x / 8][threadIdx.x % 8] =
            a[(row + threadIdx.x / 8) * k + p + threadIdx.x % 8];
        s_b[y][x] = b[(p + y) * n + column + x];
        __syncthreads();
        for (int q = 0; q < 8; q++) {
            float v = s_b[q][x];
            for (int j = 0; j < 8; j++)
                sum[j] += s_a[y * 8 + j][q] * v;
        }
        __syncthreads();
    }
    for (int j = 0; j < 8; j++)
        c[(row + y * 8 + j) * n + column + x] = sum[j];
}

/* 128 x 128 a block, 8 x 8 neighbouring results a thread, every word fetched by itself. */
__global__ void __launch_bounds__(256)
    gemm_eight_by_eight(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[128 * 8], s_b[8 * 128];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sum[8][8] = {}, u[8], v[8];
    a += blockIdx.y * 128 * k;
    b += blockIdx.x * 128;
    for (int p = 0; p < k; p += 8) {
        for (int j = threadIdx.x; j < 1024; j += 256) {
            s_a[j] = a[j / 8 * k + p + j % 8];
            s_b[j] = b[(p + j / 128) * n + j % 128];
        }
        __syncthreads();
        for (int q = 0; q < 8; q++) {
            for (int i = 0; i < 8; i++)
                u[i] = s_a[(y * 8 + i) * 8 + q];
            for (int i = 0; i < 8; i++)
                v[i] = s_b[q * 128 + x * 8 + i];
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            c[(blockIdx.y * 128 + y * 8 + i) * n + blockIdx.x * 128 + x * 8 + j] = sum[i][j];
}

/* 64 x 64 a block by asynchronous vectors, three stages; 4 x 8 results a thread. */
enum { STAGES = 3 };
struct stage {
    float4 a[64][4], b[16][16];
};

static __device__ __forceinline__ void fetch_stage(struct stage *stage, const float *a,
                                                   const float *b, int n, int k, int p)
{
    for (int j = threadIdx.x; j < 256; j += 128) {
        __pipeline_memcpy_async(&stage->a[j / 4][j % 4], &a[j / 4 * k + p + j % 4 * 4], 16);
        __pipeline_memcpy_async(&stage->b[j / 16][j % 16], &b[(p + j / 16) * n + j % 16 * 4], 16);
    }
}

__global__ void __launch_bounds__(128)
    gemm_three_stages(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ struct stage s_stage[STAGES];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    float sum[4][8] = {};
    a += blockIdx.y * 64 * k;
    b += blockIdx.x * 64;
    for (int s = 0; s < STAGES - 1; s++) {
        fetch_stage(&s_stage[s], a, b, n, k, s * 16);
        __pipeline_commit();
    }
    for (int step = 0; step < k / 16; step++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        const struct stage *now = &s_stage[step % STAGES];
#pragma unroll
        for (int q = 0; q < 16; q++) {
            float4 v0 = now->b[q][x], v1 = now->b[q][x + 8];
            const float v[8] = {v0.x, v0.y, v0.z, v0.w, v1.x, v1.y, v1.z, v1.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float u = ((const float *)now->a[y + i * 16])[q];
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += u * v[j];
            }
        }
        if (step + STAGES - 1 < k / 16)
            fetch_stage(&s_stage[(step + STAGES - 1) % STAGES], a, b, n, k,
                        (step + STAGES - 1) * 16);
        __pipeline_commit();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            c[(blockIdx.y * 64 + y + i * 16) * n + blockIdx.x * 64 + x * 4 + j % 4 + j / 4 * 32] =
                sum[i][j];
}

/* Rows of A times rows of B: a warp for each element. */
__global__ void gemm_rows_by_rows(const float *a, const float *b, float *c, int n, int k)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int row = warp / n, column = warp % n;
    float sum = 0;
    for (int i = lane; i < k; i += 32)
        sum += a[row * k + i] * b[column * k + i];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (lane == 0)
        c[warp] = sum;
}

/* A times its own transpose, the lower half of the tiles only. */
__global__ void gram_lower(const float *a, float *c, int n, int k)
{
    __shared__ float s_u[16][17], s_v[16][17];
    if (blockIdx.x > blockIdx.y)
        return;
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int p = 0; p < k; p += 16) {
        s_u[y][x] = a[(blockIdx.y * 16 + y) * k + p + x];
        s_v[y][x] = a[(blockIdx.x * 16 + y) * k + p + x];
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; q++)
            sum += s_u[y][q] * s_v[x][q];
        __syncthreads();
    }
    c[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = sum;
}

/* Signed bytes, four products an instruction; a tile of words that hold four each. */
__global__ void gemm_bytes(const int *a, const int *b_columns, int *c, int n, int words)
{
    __shared__ int s_a[32][33], s_b[32][33];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
    int sum[4] = {};
    for (int p = 0; p < words; p += 32) {
        for (int j = 0; j < 32; j += 8) {
            s_a[y + j][x] = a[(row + y + j) * words + p + x];
            s_b[y + j][x] = b_columns[(column + y + j) * words + p + x];
        }
        __syncthreads();
        for (int q = 0; q < 32; q++)
            for (int j = 0; j < 4; j++)
                sum[j] = __dp4a(s_a[y + j * 8][q], s_b[x][q], sum[j]);
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        c[(row + y + j * 8) * n + column + x] = sum[j];
}

/* One thread for each small matrix of doubles: 4 x 4, laid out one after another. */
__global__ void small_doubles(const double *a, double *c, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const double *u = a + i * 16;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            double sum = 0;
            for (int q = 0; q < 4; q++)
                sum += u[row * 4 + q] * u[q * 4 + column];
            c[i * 16 + row * 4 + column] = sum;
        }
}

__global__ void outer_product(const float *u, const float *v, float *c, int m, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < n)
        for (int row = blockIdx.y; row < m; row += gridDim.y)
            c[row * n + column] = u[row] * v[column];
}

/* A block for each row, vectors; the block's sum through shared memory. */
__global__ void times_vector(const float4 *a, const float4 *x, float *y, int vectors)
{
    __shared__ float s_part[8];
    float sum = 0;
    for (int j = threadIdx.x; j < vectors; j += 256) {
        float4 u = a[(size_t)blockIdx.x * vectors + j], v = x[j];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
    if (threadIdx.x % 32 == 0)
        s_part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int j = 1; j < 8; j++)
            sum += s_part[j];
        y[blockIdx.x] = sum;
    }
}

/* The transposed product: a thread for each column, strips of rows added up by atomics. */
__global__ void vector_times(const float *x, const float *a, float *y, int rows, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = blockIdx.y * rows; row < (blockIdx.y + 1) * rows; row++)
        sum += x[row] * a[(size_t)row * columns + column];
    atomicAdd(&y[column], sum);
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("gemm_plain_4096x4096x8", dim3(128, 512), dim3(32, 8), gemm_plain, data->x, data->y,
         data->out, 4 * KI, 4 * KI, 8),
    EACH("gemm_plain_700x900x300", dim3(57, 44), dim3(16, 16), gemm_plain, data->x, data->y,
         data->out, 700, 900, 300),
    EACH("gemm_axes_swapped_1024x1024x48", dim3(32, 32), dim3(32, 32), gemm_axes_swapped, data->x,
         data->y, data->out, KI, KI, 48),
    EACH("gemm_column_of_eight_1024x1024x512", dim3(16, 16), 512, gemm_column_of_eight, data->x,
         data->y, data->out, KI, 512),
    EACH("gemm_eight_by_eight_2048x2048x256", dim3(16, 16), 256, gemm_eight_by_eight, data->x,
         data->y, data->out, 2 * KI, 256),
    EACH("gemm_eight_by_eight_4096x4096x32", dim3(32, 32), 256, gemm_eight_by_eight, data->x,
         data->y, data->out, 4 * KI, 32),
    EACH("gemm_three_stages_1024", dim3(16, 16), 128, gemm_three_stages, data->x, data->y,
         data->out, KI, KI),
    EACH("gemm_three_stages_4096x4096x64", dim3(64, 64), 128, gemm_three_stages, data->x, data->y,
         data->out, 4 * KI, 64),
    EACH("gemm_rows_by_rows_512x512x512", 32 * KI, 256, gemm_rows_by_rows, data->x, data->y,
         data->out, 512, 512),
    EACH("gram_lower_1024x304", dim3(64, 64), dim3(16, 16), gram_lower, data->x, data->out, KI,
         304),
    EACH("gemm_bytes_1024x1024", dim3(32, 32), dim3(32, 8), gemm_bytes, (const int *)data->x,
         (const int *)data->y, (int *)data->out, KI, 256),
    EACH("small_doubles_65000", 254, 256, small_doubles, data->double_x, (double *)data->out,
         65000),
    EACH("outer_product_6000x8000", dim3(32, 64), 256, outer_product, data->x, data->y, data->out,
         6000, 8000),
    EACH("times_vector_16384x4096", 16 * KI, 256, times_vector, (const float4 *)data->x,
         (const float4 *)data->y, data->out, KI),
    EACH("vector_times_8192x2048", dim3(8, 64), 256, vector_times, data->y, data->x, data->out,
         128, 2 * KI),
};
BANK_FAMILY(matmuls)
