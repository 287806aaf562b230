/* tensor.cu - products of 16 x 16 tiles on the tensor cores: alone, fed from global memory, and
 * fed from shared memory. */
#include "bank.h"

#include <cuda_bf16.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

template <typename T>
using left_tile = wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major>;
template <typename T>
using right_tile = wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major>;
using sum_tile = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

/* Four chains of products that never leave the registers: the unit's rate. */
__global__ void tensor_alone(const __half *a, const __half *b, float *out, int steps)
{
    left_tile<__half> left;
    right_tile<__half> right;
    sum_tile sum[4];
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    for (int j = 0; j < 4; j++)
        wmma::fill_fragment(sum[j], (float)j);
    for (int k = 0; k < steps; k++)
        for (int j = 0; j < 4; j++)
            wmma::mma_sync(sum[j], left, right, sum[j]);
    for (int j = 1; j < 4; j++)
        for (int i = 0; i < sum[0].num_elements; i++)
            sum[0].x[i] += sum[j].x[i];
    wmma::store_matrix_sync(out + thread_index() / 32 * 256, sum[0], 16, wmma::mem_row_major);
}

/* A warp for each tile of C, operands straight from global memory. */
template <typename T>
__global__ void tensor_from_global(const T *a, const T *b, float *c, int n, int k)
{
    int warp = thread_index() / 32, row = warp / (n / 16) * 16, column = warp % (n / 16) * 16;
    left_tile<T> left;
    right_tile<T> right;
    sum_tile sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(left, a + row * k + p, k);
        wmma::load_matrix_sync(right, b + p * n + column, n);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

/* Rows of 64 and of 32 halves, with 16 bytes between so that rows start in different banks. */
enum { TILE = 64, DEPTH = 32, LEFT_PITCH = DEPTH + 8, RIGHT_PITCH = TILE + 8 };

/* Each of 128 threads brings two pieces of 16 bytes for either operand. */
static __device__ void fetch_tiles(const __half *a, const __half *b, __half *s_a, __half *s_b,
                                   int n, int k)
{
    for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += 128) {
        int row = i / (DEPTH / 8), at = i % (DEPTH / 8) * 8;
        *(float4 *)&s_a[row * LEFT_PITCH + at] = *(const float4 *)&a[row * k + at];
        row = i / (TILE / 8);
        at = i % (TILE / 8) * 8;
        *(float4 *)&s_b[row * RIGHT_PITCH + at] = *(const float4 *)&b[row * n + at];
    }
}

/* Tiles of 64 x 64 in shared memory; each of four warps owns 32 x 32 of the result. */
__global__ void __launch_bounds__(128)
    tensor_from_shared(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(16) __half s_a[TILE * LEFT_PITCH], s_b[DEPTH * RIGHT_PITCH];
    int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE, warp = threadIdx.x / 32;
    int y = warp / 2 * 32, x = warp % 2 * 32;
    sum_tile sum[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sum[i / 2][i % 2], 0.0f);
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        fetch_tiles(a + row0 * k + k0, b + k0 * n + column0, s_a, s_b, n, k);
        __syncthreads();
        for (int p = 0; p < DEPTH; p += 16) {
            left_tile<__half> left[2];
            right_tile<__half> right[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(left[i], &s_a[(y + 16 * i) * LEFT_PITCH + p], LEFT_PITCH);
                wmma::load_matrix_sync(right[i], &s_b[p * RIGHT_PITCH + x + 16 * i], RIGHT_PITCH);
            }
            for (int i = 0; i < 4; i++)
                wmma::mma_sync(sum[i / 2][i % 2], left[i / 2], right[i % 2], sum[i / 2][i % 2]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(c + (row0 + y + i / 2 * 16) * n + column0 + x + i % 2 * 16,
                                sum[i / 2][i % 2], n, wmma::mem_row_major);
}

static const struct bank_row ROWS[] = {
    BANK_ROW("tensor_alone", BANK_COLD, 1056, 256, 0, tensor_alone, data->half_x, data->half_y,
             data->out, 16),
    BANK_ROW("tensor_from_global_512", BANK_COLD, 256, 128, 0, tensor_from_global<__half>,
             data->half_x, data->half_y, data->out, 512, 512),
    BANK_ROW("tensor_from_global_1024", BANK_COLD, 1 * KI, 128, 0, tensor_from_global<__half>,
             data->half_x, data->half_y, data->out, 1024, 1024),
    BANK_ROW("tensor_bf16_from_global_512", BANK_COLD, 256, 128, 0,
             tensor_from_global<__nv_bfloat16>, (__nv_bfloat16 *)data->half_x,
             (__nv_bfloat16 *)data->half_y, data->out, 512, 512),
    BANK_ROW("tensor_from_shared_1024", BANK_COLD, dim3(16, 16), 128, 0, tensor_from_shared,
             data->half_x, data->half_y, data->out, 1024, 1024),
    BANK_ROW("tensor_from_shared_2048x2048x512", BANK_COLD, dim3(32, 32), 128, 0,
             tensor_from_shared, data->half_x, data->half_y, data->out, 2048, 512),
};
BANK_FAMILY(tensor)
