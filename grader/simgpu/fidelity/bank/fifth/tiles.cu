/* tiles.cu - products of matrices in FP32 up the ladder of lesson 2: C = A * B, row by row. */
#include "../bank.h"

/* One element a thread, everything from memory. */
__global__ void mm_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}

/* Tiles of T x T in shared memory, guarded at the edges. */
template <int T> __global__ void mm_tiled(const float *A, const float *B, float *C, int M, int N,
                                          int K)
{
    __shared__ float As[T][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    for (int t = 0; t < (K + T - 1) / T; t++) {
        As[ty][tx] = row < M && t * T + tx < K ? A[row * K + t * T + tx] : 0;
        Bs[ty][tx] = t * T + ty < K && col < N ? B[(t * T + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

/* SIDE x SIDE elements of a tile of 16 * SIDE, 8 of k at a time; A is kept turned. */
template <int SIDE> __global__ void mm_registers(const float *A, const float *B, float *C, int N,
                                                 int K)
{
    constexpr int TILE = 16 * SIDE, STEP = 8, THREADS = 256;
    __shared__ float As[STEP][TILE + 4], Bs[STEP][TILE];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[SIDE][SIDE] = {};
    A += blockIdx.y * TILE * K;
    B += blockIdx.x * TILE;
    for (int k0 = 0; k0 < K; k0 += STEP) {
#pragma unroll
        for (int i = threadIdx.x; i < TILE * STEP; i += THREADS) {
            As[i % STEP][i / STEP] = A[(i / STEP) * K + k0 + i % STEP];
            Bs[i / TILE][i % TILE] = B[(k0 + i / TILE) * N + i % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STEP; k++) {
            float a[SIDE], b[SIDE];
#pragma unroll
            for (int i = 0; i < SIDE; i++) {
                a[i] = As[k][ty * SIDE + i];
                b[i] = Bs[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < SIDE; i++)
#pragma unroll
                for (int j = 0; j < SIDE; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < SIDE; i++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            C[(blockIdx.y * TILE + ty * SIDE + i) * N + blockIdx.x * TILE + tx + 16 * j] =
                sum[i][j];
}

/* 128 x 128 a block, 8 x 8 a thread, float4 everywhere, the next tile in registers meanwhile. */
__global__ void __launch_bounds__(256)
    mm_128_vectors(const float *A, const float *B, float *C, int N, int K)
{
    __shared__ float As[2][8][128], Bs[2][8][128];
    int t = threadIdx.x, tx = t % 16 * 4, ty = t / 16 * 4;
    int a_row = t / 2, a_col = t % 2 * 4, b_row = t / 32, b_col = t % 32 * 4;
    const float *from_a = A + (blockIdx.y * 128 + a_row) * K + a_col;
    const float *from_b = B + b_row * N + blockIdx.x * 128 + b_col;
    float sum[8][8] = {};
    float4 next_a = *(const float4 *)from_a, next_b = *(const float4 *)from_b;
    int now = 0;
    for (int k0 = 0; k0 < K; k0 += 8, now ^= 1) {
        As[now][a_col][a_row] = next_a.x;
        As[now][a_col + 1][a_row] = next_a.y;
        As[now][a_col + 2][a_row] = next_a.z;
        As[now][a_col + 3][a_row] = next_a.w;
        *(float4 *)&Bs[now][b_row][b_col] = next_b;
        __syncthreads();
        if (k0 + 8 < K) {
            next_a = *(const float4 *)(from_a + k0 + 8);
            next_b = *(const float4 *)(from_b + (k0 + 8) * N);
        }
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float a[8], b[8];
            *(float4 *)&a[0] = *(float4 *)&As[now][k][ty];
            *(float4 *)&a[4] = *(float4 *)&As[now][k][64 + ty];
            *(float4 *)&b[0] = *(float4 *)&Bs[now][k][tx];
            *(float4 *)&b[4] = *(float4 *)&Bs[now][k][64 + tx];
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int row = blockIdx.y * 128 + ty + i % 4 + i / 4 * 64;
        float *to = C + row * N + blockIdx.x * 128 + tx;
        *(float4 *)to = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        *(float4 *)(to + 64) = make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}

/* A tile for each warp alone: 32 x 32 of C, 16 of k, no barrier of the block. */
__global__ void mm_private_tiles(const float *A, const float *B, float *C, int N, int K)
{
    __shared__ float As[4][16][33], Bs[4][16][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tx = lane % 8, ty = lane / 8;
    int row0 = blockIdx.y * 64 + warp / 2 * 32, col0 = blockIdx.x * 64 + warp % 2 * 32;
    float sum[8][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
#pragma unroll
        for (int i = 0; i < 16; i++) {
            As[warp][lane % 16][i * 2 + lane / 16] =
                A[(row0 + i * 2 + lane / 16) * K + k0 + lane % 16];
            Bs[warp][i][lane] = B[(k0 + i) * N + col0 + lane];
        }
        __syncwarp();
#pragma unroll 4
        for (int k = 0; k < 16; k++) {
            float4 b = *(float4 *)&Bs[warp][k][tx * 4];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                float a = As[warp][k][ty * 8 + i];
                sum[i][0] += a * b.x;
                sum[i][1] += a * b.y;
                sum[i][2] += a * b.z;
                sum[i][3] += a * b.w;
            }
        }
        __syncwarp();
    }
    for (int i = 0; i < 8; i++)
        *(float4 *)&C[(row0 + ty * 8 + i) * N + col0 + tx * 4] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* Pieces of k to different blocks, added up by atomics. */
__global__ void mm_split_k(const float *A, const float *B, float *C, int N, int K, int piece)
{
    __shared__ float As[16][16], Bs[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int k0 = blockIdx.z * piece; k0 < (int)(blockIdx.z + 1) * piece; k0 += 16) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    atomicAdd(&C[row * N + col], sum);
}

/* No shared memory: 4 x 4 a thread, neighbours find each other's loads in L1. */
__global__ void mm_quads_from_l1(const float *A, const float *B, float *C, int N, int K)
{
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    float sum[4][4] = {};
    for (int k = 0; k < K; k++) {
        float4 b = __ldg((const float4 *)&B[k * N + col]);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float a = __ldg(&A[(row + i) * K + k]);
            sum[i][0] += a * b.x;
            sum[i][1] += a * b.y;
            sum[i][2] += a * b.z;
            sum[i][3] += a * b.w;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        *(float4 *)&C[(row + i) * N + col] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* A matrix by its own transpose, a dot product a thread, by float4 along k. */
__global__ void mm_own_transpose(const float *A, float *C, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const float4 *p = (const float4 *)(A + row * K), *q = (const float4 *)(A + col * K);
    float sum = 0;
    for (int k = 0; k < K / 4; k++) {
        float4 a = p[k], b = q[k];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    C[row * N + col] = sum;
}

#define MM(name, ...) BANK_ROW(name, BANK_COLD, __VA_ARGS__)
#define AB data->x, data->y
#define ABC AB, data->out

static const struct bank_row ROWS[] = {
    MM("mm_naive_1024x1024_by_32", dim3(64, 64), dim3(16, 16), 0, mm_naive, ABC, 1024, 1024, 32),
    MM("mm_naive_500x300x400_of_32x32", dim3(10, 16), dim3(32, 32), 0, mm_naive, ABC, 500, 300,
       400),
    MM("mm_tiled_16_1024x1024x32", dim3(64, 64), dim3(16, 16), 0, mm_tiled<16>, ABC, 1024, 1024,
       32),
    MM("mm_tiled_32_512x512x256", dim3(16, 16), dim3(32, 32), 0, mm_tiled<32>, ABC, 512, 512, 256),
    MM("mm_tiled_16_1000x700x60", dim3(44, 63), dim3(16, 16), 0, mm_tiled<16>, ABC, 1000, 700, 60),
    MM("mm_registers_4_1024x1024x128", dim3(16, 16), 256, 0, mm_registers<4>, ABC, 1024, 128),
    MM("mm_registers_4_2048x2048x16", dim3(32, 32), 256, 0, mm_registers<4>, ABC, 2048, 16),
    MM("mm_registers_8_2048x2048x32", dim3(16, 16), 256, 0, mm_registers<8>, ABC, 2048, 32),
    MM("mm_registers_8_1024x1024x32", dim3(8, 8), 256, 0, mm_registers<8>, ABC, 1024, 32),
    MM("mm_128_vectors_1024x1024x256", dim3(8, 8), 256, 0, mm_128_vectors, ABC, 1024, 256),
    MM("mm_128_vectors_4096x4096x24", dim3(32, 32), 256, 0, mm_128_vectors, ABC, 4096, 24),
    MM("mm_private_tiles_1024x1024x128", dim3(16, 16), 128, 0, mm_private_tiles, ABC, 1024, 128),
    MM("mm_split_k_256x256x1024_by_16", dim3(16, 16, 16), dim3(16, 16), 0, mm_split_k, AB,
       (float *)data->counters, 256, 1024, 64),
    MM("mm_quads_in_l1_1024x1024x96", dim3(16, 16), dim3(16, 16), 0, mm_quads_from_l1, ABC, 1024,
       96),
    MM("mm_own_transpose_1024x64", dim3(64, 64), dim3(16, 16), 0, mm_own_transpose, data->x,
       data->out, 1024, 64),
};
BANK_FAMILY(tiles)
