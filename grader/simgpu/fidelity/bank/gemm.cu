/* gemm.cu - C = A B in single precision, from one product at a time to tiles in registers.
 *
 * A is m x k, B is k x n, C is m x n, row-major; every size is a multiple of the tile. K is kept
 * short in the large ones: the grid fills the device, and the simulated one still gets through.
 */
#include "bank.h"

/* Lanes go down a column of C: each reads a row of A of its own, 32 sectors a load. */
__global__ void gemm_naive_down(const float *a, const float *b, float *c, int n, int k)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + column];
    c[row * n + column] = sum;
}

/* Lanes go along a row of C: one A for all of them, and neighbours in B. */
__global__ void gemm_naive_along(const float *a, const float *b, float *c, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + column];
    c[row * n + column] = sum;
}

/* Tiles in shared memory, a result a thread: each global load serves TILE threads. */
template <int TILE>
__global__ void gemm_tile(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y,
        column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        s_a[y][x] = a[row * k + k0 + x];
        s_b[y][x] = b[(k0 + y) * n + column];
        __syncthreads();
        for (int p = 0; p < TILE; p++)
            sum += s_a[y][p] * s_b[p][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

/* Eight results a thread, one below the other: a word of B from shared memory serves all eight.
 * 512 threads, tiles of 64 x 64, 8 deep. */
__global__ void __launch_bounds__(512)
    gemm_column_each(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[64][8], s_b[8][64];
    int thread = threadIdx.x, x = thread % 64, y = thread / 64 * 8;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[8] = {0};
    for (int k0 = 0; k0 < k; k0 += 8) {
        s_a[thread / 8][thread % 8] = a[(row0 + thread / 8) * k + k0 + thread % 8];
        s_b[thread / 64][x] = b[(k0 + thread / 64) * n + column0 + x];
        __syncthreads();
        for (int p = 0; p < 8; p++) {
            float right = s_b[p][x];
            for (int i = 0; i < 8; i++)
                sum[i] += s_a[y + i][p] * right;
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        c[(row0 + y + i) * n + column0 + x] = sum[i];
}

/* 8 x 8 results a thread: 64 multiply-adds for 16 words from shared memory. 256 threads, tiles of
 * 128 x 128, 8 deep; A is turned round on its way in. */
__global__ void __launch_bounds__(256)
    gemm_square_each(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float s_a[8][128], s_b[8][128];
    int thread = threadIdx.x, x = thread % 16 * 8, y = thread / 16 * 8;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {{0}};
    for (int k0 = 0; k0 < k; k0 += 8) {
        for (int i = thread; i < 1024; i += 256) {
            s_a[i % 8][i / 8] = a[(row0 + i / 8) * k + k0 + i % 8];
            s_b[i / 128][i % 128] = b[(k0 + i / 128) * n + column0 + i % 128];
        }
        __syncthreads();
        for (int p = 0; p < 8; p++)
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    sum[i][j] += s_a[p][y + i] * s_b[p][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            c[(row0 + y + i) * n + column0 + x + j] = sum[i][j];
}

/* The eight products of a line of a thread's square. */
static __device__ __forceinline__ void add_row(float (&sum)[8], float left, float4 low, float4 high)
{
    sum[0] += left * low.x;
    sum[1] += left * low.y;
    sum[2] += left * low.z;
    sum[3] += left * low.w;
    sum[4] += left * high.x;
    sum[5] += left * high.y;
    sum[6] += left * high.z;
    sum[7] += left * high.w;
}

/* The same, moving 16 bytes at a time from global and from shared memory. */
__global__ void __launch_bounds__(256)
    gemm_vectorised(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ __align__(16) float s_a[8][128], s_b[8][128];
    int thread = threadIdx.x, x = thread % 16 * 4, y = thread / 16 * 8;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {{0}};
    for (int k0 = 0; k0 < k; k0 += 8) {
        float4 left = *(const float4 *)&a[(row0 + thread / 2) * k + k0 + thread % 2 * 4];
        s_a[thread % 2 * 4][thread / 2] = left.x;
        s_a[thread % 2 * 4 + 1][thread / 2] = left.y;
        s_a[thread % 2 * 4 + 2][thread / 2] = left.z;
        s_a[thread % 2 * 4 + 3][thread / 2] = left.w;
        *(float4 *)&s_b[thread / 32][thread % 32 * 4] =
            *(const float4 *)&b[(k0 + thread / 32) * n + column0 + thread % 32 * 4];
        __syncthreads();
        for (int p = 0; p < 8; p++) {
            float4 low = *(float4 *)&s_b[p][x], high = *(float4 *)&s_b[p][x + 64];
            for (int i = 0; i < 8; i++)
                add_row(sum[i], s_a[p][y + i], low, high);
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++) {
        float *line = &c[(row0 + y + i) * n + column0 + x];
        *(float4 *)line = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        *(float4 *)(line + 64) = make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}

#define GEMM(name, kernel, block, tile_rows, tile_columns, m, n, k)                                \
    BANK_ROW(name, BANK_COLD, dim3((n) / (tile_columns), (m) / (tile_rows)), block, 0, kernel,     \
             data->x, data->y, data->out, n, k)

static const struct bank_row ROWS[] = {
    BANK_ROW("gemm_naive_down_512", BANK_COLD, dim3(16, 64), dim3(32, 8), 0, gemm_naive_down,
             data->x, data->y, data->out, 512, 512),
    GEMM("gemm_naive_along_512", gemm_naive_along, dim3(32, 8), 8, 32, 512, 512, 512),
    GEMM("gemm_naive_along_1024x1024x128", gemm_naive_along, dim3(32, 8), 8, 32, 1024, 1024, 128),
    GEMM("gemm_tile_16_512", gemm_tile<16>, dim3(16, 16), 16, 16, 512, 512, 512),
    GEMM("gemm_tile_32_512", gemm_tile<32>, dim3(32, 32), 32, 32, 512, 512, 512),
    GEMM("gemm_tile_32_1024x1024x256", gemm_tile<32>, dim3(32, 32), 32, 32, 1024, 1024, 256),
    GEMM("gemm_column_each_512", gemm_column_each, 512, 64, 64, 512, 512, 512),
    GEMM("gemm_column_each_2048x1024x128", gemm_column_each, 512, 64, 64, 2048, 1024, 128),
    GEMM("gemm_square_each_1024x1024x256", gemm_square_each, 256, 128, 128, 1024, 1024, 256),
    GEMM("gemm_square_each_2048x2048x128", gemm_square_each, 256, 128, 128, 2048, 2048, 128),
    GEMM("gemm_vectorised_512", gemm_vectorised, 256, 128, 128, 512, 512, 512),
    GEMM("gemm_vectorised_1024x1024x512", gemm_vectorised, 256, 128, 128, 1024, 1024, 512),
    GEMM("gemm_vectorised_2048x2048x128", gemm_vectorised, 256, 128, 128, 2048, 2048, 128),
};
BANK_FAMILY(gemm)
