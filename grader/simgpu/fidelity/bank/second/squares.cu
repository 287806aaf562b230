/* squares.cu - products of matrices, from the plain loop to tiles in registers that are fetched
 * ahead. All are row by row; C is M x N. */
#include "../bank.h"

#include <cuda_pipeline.h>

/* A thread for each element, with guards and 64-bit indices. */
__global__ void sgemm_plain(const float *a, const float *b, float *c, size_t m, size_t n, size_t k)
{
    size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (size_t p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + column];
    c[row * n + column] = sum;
}

/* The usual tile with its guards. */
template <int TILE>
__global__ void sgemm_tile(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int p = 0; p < k; p += TILE) {
        int across = p + (int)threadIdx.x, down = p + (int)threadIdx.y;
        s_a[threadIdx.y][threadIdx.x] = row < m && across < k ? a[row * k + across] : 0;
        s_b[threadIdx.y][threadIdx.x] = down < k && column < n ? b[down * n + column] : 0;
        __syncthreads();
        for (int q = 0; q < TILE; q++)
            sum += s_a[threadIdx.y][q] * s_b[q][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

/* 64 x 64 a block, 4 x 4 a thread, both tiles read word by word. */
__global__ void sgemm_four_by_four(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[64][17], s_b[16][64];
    int x = threadIdx.x % 16, y = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int p = 0; p < k; p += 16) {
        for (int j = threadIdx.x; j < 64 * 16; j += 256) {
            s_a[j / 16][j % 16] = a[(row + j / 16) * k + p + j % 16];
            s_b[j / 64][j % 64] = b[(p + j / 64) * n + column + j % 64];
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; q++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += s_a[y + 16 * i][q] * s_b[q][x + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(row + y + 16 * i) * n + column + x + 16 * j] = sum[i][j];
}

/* 8 x 8 results from eight words of each tile; A lies transposed. */
static __device__ __forceinline__ void multiply_tiles(const float (*s_a)[128],
                                                      const float (*s_b)[128], int x, int y,
                                                      float (*sum)[8])
{
#pragma unroll
    for (int q = 0; q < 8; q++) {
        float u[8], v[8];
        *(float4 *)u = *(const float4 *)&s_a[q][y * 4];
        *(float4 *)(u + 4) = *(const float4 *)&s_a[q][64 + y * 4];
        *(float4 *)v = *(const float4 *)&s_b[q][x * 4];
        *(float4 *)(v + 4) = *(const float4 *)&s_b[q][64 + x * 4];
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                sum[i][j] += u[i] * v[j];
    }
}

static __device__ __forceinline__ void store_tile(float *c, int n, int row, int column,
                                                  const float (*sum)[8])
{
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float *to = &c[(row + i % 4 + i / 4 * 64) * n + column];
        *(float4 *)to = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        *(float4 *)(to + 64) = make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}

/* 128 x 128 a block; the next tiles wait in registers while these are multiplied. */
__global__ void __launch_bounds__(256)
    sgemm_two_buffers(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[2][8][128], s_b[2][8][128];
    int x = threadIdx.x % 16, y = threadIdx.x / 16, row = blockIdx.y * 128;
    int column = blockIdx.x * 128, p = threadIdx.x % 2 * 4, r = threadIdx.x / 2;
    const float *from_a = &a[(row + r) * k + p];
    const float *from_b = &b[threadIdx.x / 32 * n + column + threadIdx.x % 32 * 4];
    float sum[8][8] = {};
    float4 u = *(const float4 *)from_a, v = *(const float4 *)from_b;
    for (int step = 0, buffer = 0; step < k; step += 8, buffer ^= 1) {
        s_a[buffer][p][r] = u.x;
        s_a[buffer][p + 1][r] = u.y;
        s_a[buffer][p + 2][r] = u.z;
        s_a[buffer][p + 3][r] = u.w;
        *(float4 *)&s_b[buffer][threadIdx.x / 32][threadIdx.x % 32 * 4] = v;
        __syncthreads();
        if (step + 8 < k) {
            u = *(const float4 *)&from_a[step + 8];
            v = *(const float4 *)&from_b[(step + 8) * n];
        }
        multiply_tiles(s_a[buffer], s_b[buffer], x, y, sum);
    }
    store_tile(c, n, row + y * 4, column + x * 4, sum);
}

/* Tiles of 64 x 32 and 32 x 64 by asynchronous copies, two under way; 4 x 4 a thread. */
__global__ void __launch_bounds__(256)
    sgemm_copied_ahead(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ __align__(16) float s_a[2][64][36], s_b[2][32][64];
    int x = threadIdx.x % 16, y = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int step = -32, buffer = 0; step < k; step += 32, buffer ^= 1) {
        if (step + 32 < k)
            for (int j = threadIdx.x; j < 512; j += 256) {
                __pipeline_memcpy_async(&s_a[buffer ^ 1][j / 8][j % 8 * 4],
                                        &a[(row + j / 8) * k + step + 32 + j % 8 * 4], 16);
                __pipeline_memcpy_async(&s_b[buffer ^ 1][j / 16][j % 16 * 4],
                                        &b[(step + 32 + j / 16) * n + column + j % 16 * 4], 16);
            }
        __pipeline_commit();
        if (step >= 0)
#pragma unroll 8
            for (int q = 0; q < 32; q++) {
                float4 v = *(const float4 *)&s_b[buffer][q][x * 4];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    float u = s_a[buffer][y * 4 + i][q];
                    sum[i][0] += u * v.x, sum[i][1] += u * v.y;
                    sum[i][2] += u * v.z, sum[i][3] += u * v.w;
                }
            }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)&c[(row + y * 4 + i) * n + column + x * 4] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* Each warp has tiles of its own for 32 x 32 results: no barrier of the block. */
__global__ void sgemm_by_warps(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[4][32][9], s_b[4][8][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = (blockIdx.y * 2 + warp / 2) * 32, column = (blockIdx.x * 2 + warp % 2) * 32;
    float sum[32] = {};
    for (int p = 0; p < k; p += 8) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            s_a[warp][j * 4 + lane / 8][lane % 8] = a[(row + j * 4 + lane / 8) * k + p + lane % 8];
            s_b[warp][j][lane] = b[(p + j) * n + column + lane];
        }
        __syncwarp();
#pragma unroll
        for (int q = 0; q < 8; q++) {
            float v = s_b[warp][q][lane];
#pragma unroll
            for (int i = 0; i < 32; i++)
                sum[i] += s_a[warp][i][q] * v;
        }
        __syncwarp();
    }
#pragma unroll
    for (int i = 0; i < 32; i++)
        c[(row + i) * n + column + lane] = sum[i];
}

/* 4 x 4 results a thread straight from global memory. */
__global__ void sgemm_no_tile(const float *a, const float *b, float *c, int n, int k)
{
    int column = 4 * (blockIdx.x * 32 + threadIdx.x), row = 4 * (blockIdx.y * 4 + threadIdx.y);
    float sum[4][4] = {};
    for (int p = 0; p < k; p++) {
        float4 v = *(const float4 *)&b[p * n + column];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float u = a[(row + i) * k + p];
            sum[i][0] += u * v.x, sum[i][1] += u * v.y, sum[i][2] += u * v.z, sum[i][3] += u * v.w;
        }
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)&c[(row + i) * n + column] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* The sum is split between blocks, which add their parts to C. */
__global__ void sgemm_split(const float *a, const float *b, float *c, int n, int k, int part)
{
    __shared__ float s_a[16][16], s_b[16][17];
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int p = blockIdx.z * part; p < (int)(blockIdx.z + 1) * part; p += 16) {
        s_a[threadIdx.y][threadIdx.x] = a[row * k + p + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = b[(p + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; q++)
            sum = fmaf(s_a[threadIdx.y][q], s_b[q][threadIdx.x], sum);
        __syncthreads();
    }
    atomicAdd(&c[row * n + column], sum);
}

/* Products of many matrices of 16 x 16, a block each. */
__global__ void small_products(const float *a, const float *b, float *c)
{
    __shared__ float s_a[16][16], s_b[16][16];
    int at = (blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x;
    s_a[threadIdx.y][threadIdx.x] = a[at];
    s_b[threadIdx.y][threadIdx.x] = b[at];
    __syncthreads();
    float sum = 0;
    for (int q = 0; q < 16; q++)
        sum += s_a[threadIdx.y][q] * s_b[q][threadIdx.x];
    c[at] = sum;
}

/* Half precision multiplied in pairs, the sum kept in float. */
__global__ void half_products(const __half2 *a, const __half2 *b, float *c, int n, int pairs)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int p = 0; p < pairs; p++) {
        float2 v = __half22float2(__hmul2(a[row * pairs + p], b[p * n + column]));
        sum += v.x + v.y;
    }
    c[row * n + column] = sum;
}

/* A row of the matrix for each warp, four words a lane. */
__global__ void times_vector_by_warp(const float *a, const float *x, float *y, int columns)
{
    int row = thread_index() / 32, lane = threadIdx.x % 32;
    const float4 *words = (const float4 *)&a[(size_t)row * columns];
    float sum = 0;
    for (int j = lane; j < columns / 4; j += 32) {
        float4 u = words[j], v = __ldg((const float4 *)x + j);
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    for (int d = 16; d; d >>= 1)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
    if (lane == 0)
        y[row] = sum;
}

/* A row for each thread: what a first attempt looks like. */
__global__ void times_vector_by_thread(const float *a, const float *x, float *y, int columns)
{
    int row = thread_index();
    float sum = 0;
    for (int j = 0; j < columns; j++)
        sum += a[(size_t)row * columns + j] * x[j];
    y[row] = sum;
}

#define SGEMM(name, grid, block, kernel, ...)                                                      \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, data->x, data->y, data->out, ##__VA_ARGS__)

static const struct bank_row ROWS[] = {
    SGEMM("sgemm_plain_500x700x300", dim3(22, 63), dim3(32, 8), sgemm_plain, 500, 700, 300),
    SGEMM("sgemm_plain_1024x1024x32", dim3(64, 64), dim3(16, 16), sgemm_plain, KI, KI, 32),
    SGEMM("sgemm_tile_16_640", dim3(40, 40), dim3(16, 16), sgemm_tile<16>, 640, 640, 640),
    SGEMM("sgemm_tile_32_1024x1024x32", dim3(32, 32), dim3(32, 32), sgemm_tile<32>, KI, KI, 32),
    SGEMM("sgemm_tile_32_4096x4096x32", dim3(128, 128), dim3(32, 32), sgemm_tile<32>, 4 * KI,
          4 * KI, 32),
    SGEMM("sgemm_four_by_four_1024x1024x512", dim3(16, 16), 256, sgemm_four_by_four, KI, 512),
    SGEMM("sgemm_two_buffers_1024", dim3(8, 8), 256, sgemm_two_buffers, KI, KI),
    SGEMM("sgemm_two_buffers_2048x2048x256", dim3(16, 16), 256, sgemm_two_buffers, 2 * KI, 256),
    SGEMM("sgemm_two_buffers_4096x4096x64", dim3(32, 32), 256, sgemm_two_buffers, 4 * KI, 64),
    SGEMM("sgemm_copied_ahead_1024x1024x512", dim3(16, 16), 256, sgemm_copied_ahead, KI, 512),
    SGEMM("sgemm_by_warps_1024x1024x256", dim3(16, 16), 128, sgemm_by_warps, KI, 256),
    SGEMM("sgemm_no_tile_1024x1024x256", dim3(8, 64), dim3(32, 4), sgemm_no_tile, KI, 256),
    SGEMM("sgemm_split_256x256x2048", dim3(16, 16, 8), dim3(16, 16), sgemm_split, 256, 2 * KI, 256),
    SGEMM("small_products_16K", 16 * KI, dim3(16, 16), small_products),
    BANK_ROW("half_products_1024x1024x256", BANK_COLD, dim3(32, 128), dim3(32, 8), 0, half_products,
             (const __half2 *)data->half_x, (const __half2 *)data->half_y, data->out, KI, 128),
    SGEMM("times_vector_by_warp_8192x4096", KI, 256, times_vector_by_warp, 4 * KI),
    SGEMM("times_vector_by_thread_16384x512", 128, 128, times_vector_by_thread, 512),
};
BANK_FAMILY(squares)
