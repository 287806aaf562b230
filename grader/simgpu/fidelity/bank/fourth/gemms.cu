/* gemms.cu - products of matrices, small and middling, and of matrices and vectors. */
#include "../bank.h"

#include <mma.h>

/* One thread for each element of the result, everything from global memory. */
__global__ void matmul_first_try(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
        acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = acc;
}

/* Tiles in shared memory with zeros outside of any shape. */
template <int TS>
__global__ void matmul_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s_a[TS][TS], s_b[TS][TS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    float acc = 0;
    for (int t = 0; t < (K + TS - 1) / TS; t++) {
        int ka = t * TS + tx, kb = t * TS + ty;
        s_a[ty][tx] = row < M && ka < K ? A[row * K + ka] : 0;
        s_b[ty][tx] = kb < K && col < N ? B[kb * N + col] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TS; k++)
            acc = fmaf(s_a[ty][k], s_b[k][tx], acc);
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}

/* A thread has 4 x 4 results, the tile of A is kept transposed; 64 x 64 to a block of 256. */
__global__ void matmul_registers_4x4(const float *A, const float *B, float *C, int N, int K)
{
    __shared__ float s_a[16][68], s_b[16][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    const float *a = A + (blockIdx.y * 64 + t / 4) * K + t % 4 * 4;
    const float *b = B + ty * N + blockIdx.x * 64 + tx * 4;
    float c[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        float4 va = *(const float4 *)(a + k0), vb = *(const float4 *)(b + (size_t)k0 * N);
        s_a[t % 4 * 4][t / 4] = va.x;
        s_a[t % 4 * 4 + 1][t / 4] = va.y;
        s_a[t % 4 * 4 + 2][t / 4] = va.z;
        s_a[t % 4 * 4 + 3][t / 4] = va.w;
        *(float4 *)&s_b[ty][tx * 4] = vb;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 p = *(float4 *)&s_a[k][ty * 4], q = *(float4 *)&s_b[k][tx * 4];
            const float u[4] = {p.x, p.y, p.z, p.w}, v[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    c[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)&C[(size_t)(blockIdx.y * 64 + ty * 4 + i) * N + blockIdx.x * 64 + tx * 4] =
            make_float4(c[i][0], c[i][1], c[i][2], c[i][3]);
}

/* 8 x 8 results a thread, 128 x 128 a block; the next tiles are fetched into registers while the
 * present ones are multiplied, and two buffers save a barrier. */
__global__ void __launch_bounds__(256)
    matmul_two_buffers(const float *A, const float *B, float *C, int N, int K)
{
    __shared__ float s_a[2][8][128], s_b[2][8][128];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, buffer = 0;
    const float *a = A + (size_t)(blockIdx.y * 128 + t / 2) * K + t % 2 * 4;
    const float *b = B + (size_t)(t / 32) * N + blockIdx.x * 128 + t % 32 * 4;
    float4 va = *(const float4 *)a, vb = *(const float4 *)b;
    float c[8][8] = {};
    for (int k0 = 8;; k0 += 8) {
        int col = t % 2 * 4;
        s_a[buffer][col][t / 2] = va.x;
        s_a[buffer][col + 1][t / 2] = va.y;
        s_a[buffer][col + 2][t / 2] = va.z;
        s_a[buffer][col + 3][t / 2] = va.w;
        *(float4 *)&s_b[buffer][t / 32][t % 32 * 4] = vb;
        __syncthreads();
        if (k0 < K) {
            va = *(const float4 *)(a + k0);
            vb = *(const float4 *)(b + (size_t)k0 * N);
        }
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float u[8], v[8];
#pragma unroll
            for (int j = 0; j < 2; j++) {
                *(float4 *)&u[j * 4] = *(float4 *)&s_a[buffer][k][j * 64 + ty * 4];
                *(float4 *)&v[j * 4] = *(float4 *)&s_b[buffer][k][j * 64 + tx * 4];
            }
#pragma unroll
            for (int i = 0; i < 64; i++)
                c[i / 8][i % 8] += u[i / 8] * v[i % 8];
        }
        if (k0 >= K)
            break;
        buffer ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float *row = C + (size_t)(blockIdx.y * 128 + i / 4 * 64 + ty * 4 + i % 4) * N;
        for (int j = 0; j < 2; j++)
            *(float4 *)&row[blockIdx.x * 128 + j * 64 + tx * 4] =
                make_float4(c[i][j * 4], c[i][j * 4 + 1], c[i][j * 4 + 2], c[i][j * 4 + 3]);
    }
}

/* A block for each of many products of 32 x 32, both factors in shared memory at once. */
__global__ void matmul_batch_of_32(const float *A, const float *B, float *C)
{
    __shared__ float s_a[32][33], s_b[32][32];
    const float *a = A + blockIdx.x * 1024, *b = B + blockIdx.x * 1024;
    for (int j = threadIdx.y; j < 32; j += 8) {
        s_a[j][threadIdx.x] = a[j * 32 + threadIdx.x];
        s_b[j][threadIdx.x] = b[j * 32 + threadIdx.x];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
        float sum = 0;
        for (int k = 0; k < 32; k++)
            sum += s_a[j][k] * s_b[k][threadIdx.x];
        C[blockIdx.x * 1024 + j * 32 + threadIdx.x] = sum;
    }
}

/* Halves in pairs along k, summed up in halves for 16 steps and in float beyond. */
__global__ void matmul_half_pairs(const __half2 *A, const __half2 *Bt, float *C, int N, int K2)
{
    __shared__ __half2 s_a[16][17], s_b[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int k0 = 0; k0 < K2; k0 += 16) {
        s_a[ty][tx] = A[(blockIdx.y * 16 + ty) * K2 + k0 + tx];
        s_b[ty][tx] = Bt[(blockIdx.x * 16 + ty) * K2 + k0 + tx];
        __syncthreads();
        __half2 part = __float2half2_rn(0);
#pragma unroll
        for (int k = 0; k < 16; k++)
            part = __hfma2(s_a[ty][k], s_b[tx][k], part);
        sum += __low2float(part) + __high2float(part);
        __syncthreads();
    }
    C[(blockIdx.y * 16 + ty) * N + blockIdx.x * 16 + tx] = sum;
}

/* Tensor cores: a warp has 64 x 32 results, a block of four warps 128 x 64 from shared tiles. */
__global__ void __launch_bounds__(128)
    matmul_fragments(const __half *A, const __half *B, float *C, int N, int K)
{
    using namespace nvcuda::wmma;
    __shared__ __align__(32) __half s_a[128][40], s_b[32][72];
    int t = threadIdx.x, warp = t / 32, wm = warp / 2 * 64, wn = warp % 2 * 32;
    fragment<accumulator, 16, 16, 16, float> c[4][2];
    for (int i = 0; i < 8; i++)
        fill_fragment(c[i / 2][i % 2], 0.0f);
    for (int k0 = 0; k0 < K; k0 += 32) {
        for (int j = 0; j < 4; j++)
            *(uint4 *)&s_a[j * 32 + t / 4][t % 4 * 8] =
                *(const uint4 *)&A[(size_t)(blockIdx.y * 128 + j * 32 + t / 4) * K + k0 +
                                   t % 4 * 8];
        for (int j = 0; j < 2; j++)
            *(uint4 *)&s_b[j * 16 + t / 8][t % 8 * 8] =
                *(const uint4 *)&B[(size_t)(k0 + j * 16 + t / 8) * N + blockIdx.x * 64 +
                                   t % 8 * 8];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k += 16) {
            fragment<matrix_a, 16, 16, 16, __half, row_major> a[4];
            fragment<matrix_b, 16, 16, 16, __half, row_major> b[2];
            for (int i = 0; i < 4; i++)
                load_matrix_sync(a[i], &s_a[wm + i * 16][k], 40);
            for (int j = 0; j < 2; j++)
                load_matrix_sync(b[j], &s_b[k][wn + j * 16], 72);
            for (int i = 0; i < 8; i++)
                mma_sync(c[i / 2][i % 2], a[i / 2], b[i % 2], c[i / 2][i % 2]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        store_matrix_sync(&C[(size_t)(blockIdx.y * 128 + wm + i / 2 * 16) * N + blockIdx.x * 64 +
                             wn + i % 2 * 16],
                          c[i / 2][i % 2], N, mem_row_major);
}

/* Complex matrices, a result for each thread. */
__global__ void matmul_complex(const float2 *a, const float2 *b, float2 *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float re = 0, im = 0;
    for (int k = 0; k < n; k++) {
        float2 p = a[y * n + k], q = __ldg(&b[k * n + x]);
        re += p.x * q.x - p.y * q.y;
        im += p.x * q.y + p.y * q.x;
    }
    c[y * n + x] = make_float2(re, im);
}

/* Bytes four at a time, a row of A times a row of B. */
__global__ void matmul_quads_of_bytes(const int *A, const int *B, int *C, int n, int words)
{
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y, sum = 0;
    const int4 *a = (const int4 *)(A + row * words), *b = (const int4 *)(B + col * words);
    for (int k = 0; k < words / 4; k++) {
        int4 p = a[k], q = b[k];
        sum = __dp4a(p.x, q.x, __dp4a(p.y, q.y, __dp4a(p.z, q.z, __dp4a(p.w, q.w, sum))));
    }
    C[row * n + col] = sum;
}

/* A matrix times a vector: a warp to a row, any number of columns. */
__global__ void gemv_warp_to_row(const float *A, const float *v, float *out, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0;
    for (int j = lane; j < cols; j += 32)
        sum += A[(size_t)row * cols + j] * v[j];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_xor_sync(~0u, sum, offset);
    if (lane == 0)
        out[row] = sum;
}

/* The same in halves with a block to a row, eight at a time: one step of a language model. */
__global__ void gemv_of_halves(const uint4 *A, const uint4 *v, float *out, int vectors)
{
    __shared__ float s_sum[4];
    float sum = 0;
    for (int j = threadIdx.x; j < vectors; j += 128) {
        uint4 p = A[(size_t)blockIdx.x * vectors + j], q = v[j];
        const __half2 *a = (const __half2 *)&p, *b = (const __half2 *)&q;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float2 f = __half22float2(a[k]), g = __half22float2(b[k]);
            sum += f.x * g.x + f.y * g.y;
        }
    }
    for (int d = 16; d; d >>= 1)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0)
        s_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = s_sum[0] + s_sum[1] + s_sum[2] + s_sum[3];
}

/* A thread to a column, and no other help. */
__global__ void gemv_columns(const float *A, const float *v, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols)
        return;
    float sum = 0;
    for (int r = 0; r < rows; r++)
        sum += A[r * cols + col] * v[r];
    out[col] = sum;
}

/* A system with a triangle of 64, one in each block, solved from the top. */
__global__ void solve_lower_64(const float *L, const float *b, float *x)
{
    __shared__ float s_x[64];
    const float *l = L + blockIdx.x * 4096;
    float mine = b[blockIdx.x * 64 + threadIdx.x];
    for (int k = 0; k < 64; k++) {
        if (threadIdx.x == k)
            s_x[k] = mine / (l[k * 64 + k] + 2);
        __syncthreads();
        if (threadIdx.x > k)
            mine -= l[threadIdx.x * 64 + k] * s_x[k];
    }
    x[blockIdx.x * 64 + threadIdx.x] = s_x[threadIdx.x];
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("matmul_first_try_384", dim3(24, 24), dim3(16, 16), matmul_first_try, data->x, data->y,
         data->out, 384, 384, 384),
    EACH("matmul_first_try_1000x1000x50", dim3(32, 125), dim3(32, 8), matmul_first_try, data->x,
         data->y, data->out, 1000, 1000, 50),
    EACH("matmul_tiles_16_odd", dim3(26, 32), dim3(16, 16), matmul_tiles<16>, data->x,
         data->y, data->out, 500, 411, 333),
    EACH("matmul_tiles_32_1024x1024x128", dim3(32, 32), dim3(32, 32), matmul_tiles<32>, data->x,
         data->y, data->out, KI, KI, 128),
    EACH("matmul_tiles_32_64x64x4096", dim3(2, 2), dim3(32, 32), matmul_tiles<32>, data->x,
         data->y, data->out, 64, 64, 4 * KI),
    EACH("matmul_registers_4x4_1024x1024x256", dim3(16, 16), 256, matmul_registers_4x4, data->x,
         data->y, data->out, KI, 256),
    EACH("matmul_registers_4x4_2048x2048x64", dim3(32, 32), 256, matmul_registers_4x4, data->x,
         data->y, data->out, 2 * KI, 64),
    EACH("matmul_two_buffers_2048x2048x160", dim3(16, 16), 256, matmul_two_buffers, data->x,
         data->y, data->out, 2 * KI, 160),
    EACH("matmul_two_buffers_512x512x1024", dim3(4, 4), 256, matmul_two_buffers, data->x, data->y,
         data->out, 512, KI),
    EACH("matmul_batch_of_32_2500", 2500, dim3(32, 8), matmul_batch_of_32, data->x, data->y,
         data->out),
    EACH("matmul_half_pairs_512", dim3(32, 32), dim3(16, 16), matmul_half_pairs,
         (const __half2 *)data->half_x, (const __half2 *)data->half_y, data->out, 512, 256),
    EACH("matmul_fragments_2048x2048x2048", dim3(32, 16), 128, matmul_fragments, data->half_x,
         data->half_y, data->out, 2 * KI, 2 * KI),
    EACH("matmul_fragments_512x512x1024", dim3(8, 4), 128, matmul_fragments, data->half_x,
         data->half_y, data->out, 512, KI),
    EACH("matmul_complex_256", dim3(8, 32), dim3(32, 8), matmul_complex, (const float2 *)data->x,
         (const float2 *)data->y, (float2 *)data->out, 256),
    EACH("matmul_quads_of_bytes_512", dim3(32, 32), dim3(16, 16), matmul_quads_of_bytes,
         (const int *)data->half_x, (const int *)data->half_y, (int *)data->out, 512, 128),
    EACH("gemv_warp_to_row_4096x4096", 512, 256, gemv_warp_to_row, data->x, data->y, data->out,
         4 * KI, 4 * KI),
    EACH("gemv_warp_to_row_100000x100", 12500, 256, gemv_warp_to_row, data->x, data->y, data->out,
         100000, 100),
    EACH("gemv_of_halves_4096x4096", 4 * KI, 128, gemv_of_halves, (const uint4 *)data->half_x,
         (const uint4 *)data->half_y, data->out, 512),
    EACH("gemv_columns_500x20000", 79, 256, gemv_columns, data->x, data->y, data->out, 500, 20000),
    EACH("solve_lower_64_2000", 2000, 64, solve_lower_64, data->x, data->y, data->out),
};
BANK_FAMILY(gemms)
