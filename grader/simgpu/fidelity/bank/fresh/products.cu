/* products.cu - small sizes and other schools of the matrix product: from L1, through tiles, with
 * copies under way, on tensor cores, in double precision. A is m x k, B k x n, all row-major. */
#include "../bank.h"

#include <cuda_pipeline.h>
#include <mma.h>

__global__ void product_naive(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + column];
    c[row * n + column] = sum;
}

/* 4 x 4 results a thread straight from L1: no shared memory, no barrier. */
__global__ void product_from_l1(const float *a, const float *b, float *c, int n, int k)
{
    int row = (blockIdx.y * 16 + threadIdx.y) * 4, column = (blockIdx.x * 16 + threadIdx.x) * 4;
    float sum[4][4] = {{0}};
    for (int p = 0; p < k; p++) {
        float4 right = *(const float4 *)&b[p * n + column];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float left = a[(row + i) * k + p];
            sum[i][0] += left * right.x;
            sum[i][1] += left * right.y;
            sum[i][2] += left * right.z;
            sum[i][3] += left * right.w;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        *(float4 *)&c[(row + i) * n + column] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* Guarded tiles, a result a thread, any size. */
template <typename T, int TILE>
__global__ void product_tile(const T *a, const T *b, T *c, int m, int n, int k)
{
    __shared__ T s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y,
        column = blockIdx.x * TILE + x;
    T sum = 0;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        s_a[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0;
        s_b[y][x] = k0 + y < k && column < n ? b[(k0 + y) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (int p = 0; p < TILE; p++)
            sum += s_a[y][p] * s_b[p][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

/* 64 x 64 tiles, 16 deep, 4 x 4 results a thread, three stages of cp.async. */
__global__ void product_async(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ __align__(16) float s_a[3][64][20], s_b[3][16][64];
    int thread = threadIdx.x, x = thread % 16 * 4, y = thread / 16 * 4;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, steps = k / 16;
    float sum[4][4] = {{0}};
    auto fetch = [&](int step) {
        if (step < steps) {
            __pipeline_memcpy_async(&s_a[step % 3][thread / 4][thread % 4 * 4],
                                    &a[(row0 + thread / 4) * k + step * 16 + thread % 4 * 4], 16);
            __pipeline_memcpy_async(&s_b[step % 3][thread / 16][x],
                                    &b[(step * 16 + thread / 16) * n + column0 + x], 16);
        }
        __pipeline_commit();
    };
    fetch(0);
    fetch(1);
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        fetch(step + 2);
#pragma unroll
        for (int p = 0; p < 16; p++) {
            float4 right = *(float4 *)&s_b[step % 3][p][x];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float left = s_a[step % 3][y + i][p];
                sum[i][0] += left * right.x;
                sum[i][1] += left * right.y;
                sum[i][2] += left * right.z;
                sum[i][3] += left * right.w;
            }
        }
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)&c[(row0 + y + i) * n + column0 + x] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* Tensor cores, a warp to 16 x 16 results, operands straight from global memory. */
__global__ void product_wmma(const __half *a, const __half *b, float *c, int n, int k)
{
    using namespace nvcuda::wmma;
    int warp = threadIdx.x / 32, row = blockIdx.y * 16, column = (blockIdx.x * 4 + warp) * 16;
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, row_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0);
    for (int p = 0; p < k; p += 16) {
        load_matrix_sync(left, a + row * k + p, k);
        load_matrix_sync(right, b + p * n + column, n);
        mma_sync(sum, left, right, sum);
    }
    store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}

/* mma.sync in a loop, four products under way in a warp. */
__global__ void mma_loop(const float *x, float *out, int steps)
{
    float d[4][4] = {{0}};
    unsigned a = __float_as_uint(x[threadIdx.x]) & 0x3BFF3BFFu, b = a ^ 0x01010101u;
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
                         : "r"(a), "r"(b), "r"(a), "r"(b), "r"(b), "r"(a));
    float sum = 0;
    for (int j = 0; j < 4; j++)
        sum += d[j][0] + d[j][1] + d[j][2] + d[j][3];
    out[thread_index()] = sum;
}

#define NAIVE(name, m, n, k)                                                                       \
    BANK_ROW(name, BANK_COLD, dim3(((n) + 31) / 32, ((m) + 7) / 8), dim3(32, 8), 0, product_naive, \
             data->x, data->y, data->out, m, n, k)
#define TILE(name, m, n, k)                                                                        \
    BANK_ROW(name, BANK_COLD, dim3(((n) + 15) / 16, ((m) + 15) / 16), dim3(16, 16), 0,             \
             (product_tile<float, 16>), data->x, data->y, data->out, m, n, k)

static const struct bank_row ROWS[] = {
    NAIVE("product_naive_130", 130, 130, 1024),
    NAIVE("product_naive_400", 400, 400, 400),
    NAIVE("product_naive_2048x1024x64", 2048, 1024, 64),
    TILE("product_tile_250", 250, 250, 500),
    TILE("product_tile_1000", 1000, 1000, 200),
    BANK_ROW("product_tile_32_777", BANK_COLD, dim3(25, 25), dim3(32, 32), 0,
             (product_tile<float, 32>), data->x, data->y, data->out, 777, 777, 333),
    BANK_ROW("product_from_l1_1024", BANK_COLD, dim3(16, 16), dim3(16, 16), 0, product_from_l1,
             data->x, data->y, data->out, 1024, 256),
    BANK_ROW("product_async_512", BANK_COLD, dim3(8, 8), 256, 0, product_async, data->x, data->y,
             data->out, 512, 512),
    BANK_ROW("product_async_2048", BANK_COLD, dim3(32, 32), 256, 0, product_async, data->x, data->y,
             data->out, 2048, 128),
    BANK_ROW("product_wmma_1024", BANK_COLD, dim3(16, 64), 128, 0, product_wmma, data->half_x,
             data->half_y, data->out, 1024, 1024),
    BANK_ROW("mma_loop", BANK_COLD, 528, 256, 0, mma_loop, data->x, data->out, 256),
    BANK_ROW("product_double_400", BANK_COLD, dim3(25, 25), dim3(16, 16), 0,
             (product_tile<double, 16>), data->double_x, data->double_x + 512 * KI,
             (double *)data->out, 400, 400, 400),
};
BANK_FAMILY(products)
