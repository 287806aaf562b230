/* matrices.cu - products on the tensor cores: by the library's fragments, and by instructions. */
#include "../bank.h"

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

/* A warp for each 16 x 16 of C, straight from global memory. */
__global__ void wmma_plain(const __half *a, const __half *b, float *c, int n, int k)
{
    int warp = threadIdx.x / 32, row = blockIdx.y * 16, column = (blockIdx.x * 4 + warp) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> u;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> v;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(u, a + row * k + p, k);
        wmma::load_matrix_sync(v, b + p * n + column, n);
        wmma::mma_sync(sum, u, v, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

/* 64 x 64 a block of four warps, tiles in shared memory by asynchronous copies, two under way. */
template <typename T> struct tiles {
    T a[64][40], b[32][72];
};

template <typename T>
static __device__ __forceinline__ void fetch_tiles(struct tiles<T> *s, const T *a, const T *b,
                                                   int n, int k, int p)
{
    for (int j = threadIdx.x; j < 256; j += 128) {
        __pipeline_memcpy_async(&s->a[j / 4][j % 4 * 8], &a[j / 4 * k + p + j % 4 * 8], 16);
        __pipeline_memcpy_async(&s->b[j / 8][j % 8 * 8], &b[(p + j / 8) * n + j % 8 * 8], 16);
    }
    __pipeline_commit();
}

template <typename T>
__global__ void wmma_tiles(const T *a, const T *b, float *c, int n, int k)
{
    __shared__ __align__(32) struct tiles<T> s_tiles[2];
    int y = threadIdx.x / 64, x = threadIdx.x / 32 % 2;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> u[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> v[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sum[i / 2][i % 2], 0.0f);
    a += blockIdx.y * 64 * k;
    b += blockIdx.x * 64;
    fetch_tiles(&s_tiles[0], a, b, n, k, 0);
    for (int step = 0; step < k / 32; step++) {
        struct tiles<T> *now = &s_tiles[step & 1];
        __pipeline_wait_prior(0);
        __syncthreads();
        if (step + 1 < k / 32)
            fetch_tiles(&s_tiles[~step & 1], a, b, n, k, (step + 1) * 32);
        for (int q = 0; q < 32; q += 16) {
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(u[i], &now->a[y * 32 + i * 16][q], 40);
                wmma::load_matrix_sync(v[i], &now->b[q][x * 32 + i * 16], 72);
            }
            for (int i = 0; i < 4; i++)
                wmma::mma_sync(sum[i / 2][i % 2], u[i / 2], v[i % 2], sum[i / 2][i % 2]);
        }
    }
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(c + (blockIdx.y * 64 + y * 32 + i / 2 * 16) * n + blockIdx.x * 64 +
                                    x * 32 + i % 2 * 16,
                                sum[i / 2][i % 2], n, wmma::mem_row_major);
}

/* Floats rounded to 19 bits, 16 x 8 of A in shared memory for the block's four warps. */
__global__ void wmma_tf32(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ __align__(32) float s_a[16][12];
    int warp = threadIdx.x / 32, row = blockIdx.y * 16, column = (blockIdx.x * 4 + warp) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> u;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> v;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int p = 0; p < k; p += 8) {
        __syncthreads();
        s_a[threadIdx.x / 8][threadIdx.x % 8] =
            a[(row + threadIdx.x / 8) * k + p + threadIdx.x % 8];
        __syncthreads();
        wmma::load_matrix_sync(u, &s_a[0][0], 12);
        wmma::load_matrix_sync(v, b + p * n + column, n);
        for (int i = 0; i < u.num_elements; i++)
            u.x[i] = wmma::__float_to_tf32(u.x[i]);
        for (int i = 0; i < v.num_elements; i++)
            v.x[i] = wmma::__float_to_tf32(v.x[i]);
        wmma::mma_sync(sum, u, v, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

/* Signed bytes, B by columns. */
__global__ void wmma_bytes(const signed char *a, const signed char *b, int *c, int n, int k)
{
    int warp = threadIdx.x / 32, row = (blockIdx.y * 2 + warp / 2) * 16;
    int column = (blockIdx.x * 2 + warp % 2) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> u;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> v;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::fill_fragment(sum, 0);
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(u, a + row * k + p, k);
        wmma::load_matrix_sync(v, b + column * k + p, k);
        wmma::mma_sync(sum, u, v, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

__global__ void wmma_doubles(const double *a, const double *b, double *c, int n, int k)
{
    int warp = threadIdx.x / 32, row = blockIdx.y * 8, column = (blockIdx.x * 8 + warp) * 8;
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> u;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> v;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
    wmma::fill_fragment(sum, 0.0);
    for (int p = 0; p < k; p += 4) {
        wmma::load_matrix_sync(u, a + row * k + p, k);
        wmma::load_matrix_sync(v, b + p * n + column, n);
        wmma::mma_sync(sum, u, v, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* 128 x 128 a block of eight warps by ldmatrix and mma.m16n8k16; vectors are swizzled. */
static __device__ __forceinline__ void multiply_fragments(const uint4 (*s_a)[4],
                                                          const uint4 (*s_b)[16], int y, int x,
                                                          float (*sum)[4][4])
{
    int lane = threadIdx.x % 32;
    for (int q = 0; q < 2; q++) {
        unsigned u[4][4], v[4][2];
        for (int i = 0; i < 4; i++) {
            int row = y * 64 + i * 16 + lane % 16, part = (q * 2 + lane / 16) ^ (row / 2 & 3);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(u[i][0]), "=r"(u[i][1]), "=r"(u[i][2]), "=r"(u[i][3])
                         : "r"(shared_address(&s_a[row][part])));
        }
        for (int j = 0; j < 4; j++) {
            int row = q * 16 + lane % 16, part = (x * 4 + j) ^ (row & 7);
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                         : "=r"(v[j][0]), "=r"(v[j][1])
                         : "r"(shared_address(&s_b[row][part])));
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                             "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                             : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]),
                               "+f"(sum[i][j][3])
                             : "r"(u[i][0]), "r"(u[i][1]), "r"(u[i][2]), "r"(u[i][3]),
                               "r"(v[j][0]), "r"(v[j][1]));
    }
}

__global__ void __launch_bounds__(256)
    mma_swizzled(const uint4 *a, const uint4 *b, float *c, int n, int k)
{
    __shared__ uint4 s_a[2][128][4], s_b[2][32][16];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, y = warp / 4, x = warp % 4;
    float sum[4][4][4] = {};
    for (int step = 0; step <= k / 32; step++) {
        if (step < k / 32)
            for (int j = threadIdx.x; j < 512; j += 256) {
                int row = j / 4, p = step * 32 + j / 16;
                __pipeline_memcpy_async(&s_a[step & 1][row][j % 4 ^ (row / 2 & 3)],
                                        &a[(blockIdx.y * 128 + row) * (k / 8) + step * 4 + j % 4],
                                        16);
                __pipeline_memcpy_async(&s_b[step & 1][j / 16][j % 16 ^ (j / 16 & 7)],
                                        &b[p * (n / 8) + blockIdx.x * 16 + j % 16], 16);
            }
        __pipeline_commit();
        if (step == 0)
            continue;
        __pipeline_wait_prior(1);
        __syncthreads();
        multiply_fragments(s_a[~step & 1], s_b[~step & 1], y, x, sum);
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int h = 0; h < 2; h++) {
                int row = blockIdx.y * 128 + y * 64 + i * 16 + h * 8 + lane / 4;
                int column = blockIdx.x * 128 + x * 32 + j * 8 + lane % 4 * 2;
                *(float2 *)&c[row * n + column] =
                    make_float2(sum[i][j][h * 2], sum[i][j][h * 2 + 1]);
            }
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("wmma_plain_1024", dim3(16, 64), 128, wmma_plain, data->half_x, data->half_y, data->out,
         KI, KI),
    EACH("wmma_plain_256x256x4096", dim3(4, 16), 128, wmma_plain, data->half_x, data->half_y,
         data->out, 256, 4 * KI),
    EACH("wmma_tiles_half_2048", dim3(32, 32), 128, wmma_tiles<__half>, data->half_x, data->half_y,
         data->out, 2 * KI, 2 * KI),
    EACH("wmma_tiles_bf16_1024", dim3(16, 16), 128, wmma_tiles<__nv_bfloat16>,
         (const __nv_bfloat16 *)data->half_x, (const __nv_bfloat16 *)data->half_y, data->out, KI,
         KI),
    EACH("wmma_tf32_1024x1024x512", dim3(16, 64), 128, wmma_tf32, data->x, data->y, data->out, KI,
         512),
    EACH("wmma_bytes_1024", dim3(32, 32), 128, wmma_bytes, (const signed char *)data->x,
         (const signed char *)data->y, (int *)data->out, KI, KI),
    EACH("wmma_double_512", dim3(8, 64), 256, wmma_doubles, data->double_x,
         data->double_x + 512 * KI, (double *)data->out, 512, 512),
    EACH("mma_swizzled_2048x2048x1024", dim3(16, 16), 256, mma_swizzled,
         (const uint4 *)data->half_x, (const uint4 *)data->half_y, data->out, 2 * KI, KI),
    EACH("mma_swizzled_1024x1024x2048", dim3(8, 8), 256, mma_swizzled,
         (const uint4 *)data->half_x, (const uint4 *)data->half_y, data->out, KI, 2 * KI),
};
BANK_FAMILY(matrices)
