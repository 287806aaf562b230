/* stages.cu - products whose next tile is on its way: cp.async by block and by warp,
 * cuda::pipeline, and tensor cores by mma.sync and wmma. */
#include "../bank.h"

#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <mma.h>

#pragma nv_diag_suppress static_var_with_dynamic_init /* the state of a pipeline */

namespace cg = cooperative_groups;

/* 64 x 64 a block, 4 x 4 a thread, 16 of k; two buffers filled by cp.async of 16 bytes. */
__global__ void mm_async_block(const float *A, const float *B, float *C, int N, int K)
{
    __shared__ __align__(16) float As[2][64][20], Bs[2][16][64];
    int t = threadIdx.x, tx = t % 16 * 4, ty = t / 16 * 4;
    const float *from_a = A + (blockIdx.y * 64 + t / 4) * K + t % 4 * 4;
    const float *from_b = B + (t / 16) * N + blockIdx.x * 64 + tx;
    float sum[4][4] = {};
    __pipeline_memcpy_async(&As[0][t / 4][t % 4 * 4], from_a, 16);
    __pipeline_memcpy_async(&Bs[0][t / 16][tx], from_b, 16);
    __pipeline_commit();
    for (int k0 = 0, now = 0; k0 < K; k0 += 16, now ^= 1) {
        if (k0 + 16 < K) {
            __pipeline_memcpy_async(&As[now ^ 1][t / 4][t % 4 * 4], from_a + k0 + 16, 16);
            __pipeline_memcpy_async(&Bs[now ^ 1][t / 16][tx], from_b + (k0 + 16) * N, 16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 b = *(float4 *)&Bs[now][k][tx];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float a = As[now][ty + i][k];
                sum[i][0] += a * b.x;
                sum[i][1] += a * b.y;
                sum[i][2] += a * b.z;
                sum[i][3] += a * b.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        *(float4 *)&C[(blockIdx.y * 64 + ty + i) * N + blockIdx.x * 64 + tx] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* A warp's own 32 x 64 of C: it copies its tiles itself and waits for its own copies alone. */
__global__ void mm_async_warp(const float *A, const float *B, float *C, int N, int K)
{
    extern __shared__ __align__(16) float tiles[]; /* a warp: 2 x (32 x 12 of A, 8 x 64 of B) */
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tx = lane % 16 * 4, ty = lane / 16 * 16;
    int row0 = (blockIdx.y * 4 + warp) * 32, col0 = blockIdx.x * 64;
    float *own = tiles + warp * 2 * (384 + 512), sum[16][4] = {};
    auto fetch = [&](int k0, int into) {
        float *a = own + into * 896, *b = a + 384;
        for (int i = 0; i < 2; i++) {
            int row = i * 16 + lane / 2, col = lane % 2 * 4;
            __pipeline_memcpy_async(a + row * 12 + col, A + (row0 + row) * K + k0 + col, 16);
        }
        for (int i = 0; i < 4; i++) {
            int row = i * 2 + lane / 16;
            __pipeline_memcpy_async(b + row * 64 + tx, B + (k0 + row) * N + col0 + tx, 16);
        }
        __pipeline_commit();
    };
    fetch(0, 0);
    for (int k0 = 0, now = 0; k0 < K; k0 += 8, now ^= 1) {
        if (k0 + 8 < K)
            fetch(k0 + 8, now ^ 1);
        else
            __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncwarp();
        const float *a = own + now * 896, *b = a + 384;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 v = *(const float4 *)(b + k * 64 + tx);
#pragma unroll
            for (int i = 0; i < 16; i++) {
                float u = a[(ty + i) * 12 + k];
                sum[i][0] += u * v.x;
                sum[i][1] += u * v.y;
                sum[i][2] += u * v.z;
                sum[i][3] += u * v.w;
            }
        }
        __syncwarp();
    }
#pragma unroll
    for (int i = 0; i < 16; i++)
        *(float4 *)&C[(row0 + ty + i) * N + col0 + tx] =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* Tiles of 32 by cuda::pipeline, a thread's own scope, as in the programming guide. */
template <int STAGES> __global__ void mm_pipeline(const float *A, const float *B, float *C, int N,
                                                  int K)
{
    __shared__ float As[STAGES][32][32], Bs[STAGES][32][32];
    auto pipe = cuda::make_pipeline();
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32, col = blockIdx.x * 32 + tx;
    float sum[4] = {};
    auto fetch = [&](int tile) {
        pipe.producer_acquire();
        for (int j = ty; tile * 32 < K && j < 32; j += 8) {
            cuda::memcpy_async(&As[tile % STAGES][j][tx], &A[(row + j) * K + tile * 32 + tx],
                               sizeof(float), pipe);
            cuda::memcpy_async(&Bs[tile % STAGES][j][tx], &B[(tile * 32 + j) * N + col],
                               sizeof(float), pipe);
        }
        pipe.producer_commit();
    };
    for (int tile = 0; tile < STAGES - 1; tile++)
        fetch(tile);
    for (int tile = 0; tile * 32 < K; tile++) {
        fetch(tile + STAGES - 1);
        cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; k++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                sum[i] += As[tile % STAGES][ty + 8 * i][k] * Bs[tile % STAGES][k][tx];
        __syncthreads();
        pipe.consumer_release();
    }
    for (int i = 0; i < 4; i++)
        C[(row + ty + 8 * i) * N + col] = sum[i];
}

/* A row of numbers scaled by a tile that cuda::pipeline copies for the whole block. */
__global__ void scaled_by_pipeline(const float *x, const float *y, float *out, int tiles)
{
    __shared__ __align__(16) float s_x[2][1024];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const float *from = x + (size_t)blockIdx.x * tiles * 1024;
    for (int fetched = 0, tile = 0; tile < tiles; tile++) {
        for (; fetched < tiles && fetched < tile + 2; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s_x[fetched % 2], from + fetched * 1024,
                               cuda::aligned_size_t<16>(4096), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
            size_t at = ((size_t)blockIdx.x * tiles + tile) * 1024 + i;
            out[at] = s_x[tile % 2][1023 - i] * y[at];
        }
        pipe.consumer_release();
    }
}

static __device__ __forceinline__ void mma_16816(float c[4], const uint32_t a[4],
                                                 const uint32_t b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

static __device__ __forceinline__ void load_matrices(uint32_t to[4], const __half *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((uint32_t)__cvta_generic_to_shared(from))
                 : "memory");
}

/* FP16 by mma.sync: B is given turned. 64 x 64 a block, 32 x 32 a warp, STAGES tiles of 32 of k,
 * rows of 40 halves. */
template <int STAGES> __global__ void hmm_staged(const __half *A, const __half *Bt, float *C, int N,
                                                 int K)
{
    __shared__ __align__(16) __half As[STAGES][64][40], Bs[STAGES][64][40];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, wr = warp / 2 * 32, wc = warp % 2 * 32;
    const __half *from_a = A + blockIdx.y * 64 * K, *from_b = Bt + blockIdx.x * 64 * K;
    float sum[2][4][4] = {};
    auto fetch = [&](int tile) {
        for (int i = t; tile * 32 < K && i < 256; i += 128) {
            int row = i / 4, col = i % 4 * 8;
            size_t at = row * K + tile * 32 + col;
            __pipeline_memcpy_async(&As[tile % STAGES][row][col], from_a + at, 16);
            __pipeline_memcpy_async(&Bs[tile % STAGES][row][col], from_b + at, 16);
        }
        __pipeline_commit();
    };
    for (int tile = 0; tile < STAGES - 1; tile++)
        fetch(tile);
    for (int tile = 0; tile * 32 < K; tile++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        fetch(tile + STAGES - 1);
        auto &a_tile = As[tile % STAGES], &b_tile = Bs[tile % STAGES];
#pragma unroll
        for (int k = 0; k < 32; k += 16) {
            uint32_t a[2][4], b[2][4];
            for (int i = 0; i < 2; i++) {
                load_matrices(a[i], &a_tile[wr + 16 * i + lane % 16][k + lane / 16 * 8]);
                load_matrices(b[i], &b_tile[wc + 16 * i + lane % 8 + lane / 16 * 8]
                                           [k + lane / 8 % 2 * 8]);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 4; j++)
                    mma_16816(sum[i][j], a[i], &b[j / 2][j % 2 * 2]);
        }
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) {
            int row = blockIdx.y * 64 + wr + 16 * i + lane / 4;
            int col = blockIdx.x * 64 + wc + 8 * j + lane % 4 * 2;
            *(float2 *)&C[row * N + col] = make_float2(sum[i][j][0], sum[i][j][1]);
            *(float2 *)&C[(row + 8) * N + col] = make_float2(sum[i][j][2], sum[i][j][3]);
        }
}

/* wmma from tiles in shared memory, one fragment a warp and step: the first version that works. */
__global__ void hmm_first_fragments(const __half *A, const __half *B, float *C, int N, int K)
{
    using namespace nvcuda;
    __shared__ __align__(32) __half As[32][16], Bs[16][32];
    int warp = threadIdx.x / 32, t = threadIdx.x;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = t; i < 512; i += 128) {
            As[i / 16][i % 16] = A[(blockIdx.y * 32 + i / 16) * K + k0 + i % 16];
            Bs[i / 32][i % 32] = B[(k0 + i / 32) * N + blockIdx.x * 32 + i % 32];
        }
        __syncthreads();
        wmma::load_matrix_sync(a, &As[warp / 2 * 16][0], 16);
        wmma::load_matrix_sync(b, &Bs[0][warp % 2 * 16], 32);
        wmma::mma_sync(c, a, b, c);
        __syncthreads();
    }
    wmma::store_matrix_sync(
        &C[(blockIdx.y * 32 + warp / 2 * 16) * N + blockIdx.x * 32 + warp % 2 * 16], c, N,
        wmma::mem_row_major);
}

#define MM(name, ...) BANK_ROW(name, BANK_COLD, __VA_ARGS__)
#define ABC data->x, data->y, data->out
#define HALVES data->half_x, data->half_y, data->out

static const struct bank_row ROWS[] = {
    MM("mm_async_block_1024x1024x256", dim3(16, 16), 256, 0, mm_async_block, ABC, 1024, 256),
    MM("mm_async_block_4096x4096x16", dim3(64, 64), 256, 0, mm_async_block, ABC, 4096, 16),
    MM("mm_async_block_2048x2048_by_32", dim3(32, 32), 256, 0, mm_async_block, ABC, 2048, 32),
    MM("mm_async_warp_1024x1024x128", dim3(16, 8), 128, 4 * 2 * 896 * 4, mm_async_warp, ABC, 1024,
       128),
    MM("mm_async_warp_2048x2048_by_32", dim3(32, 16), 128, 4 * 2 * 896 * 4, mm_async_warp, ABC,
       2048, 32),
    MM("mm_pipeline_2_1024x1024x64", dim3(32, 32), dim3(32, 8), 0, mm_pipeline<2>, ABC, 1024, 64),
    MM("mm_pipeline_three_512x512x256", dim3(16, 16), dim3(32, 8), 0, mm_pipeline<3>, ABC, 512,
       256),
    MM("scaled_by_pipelines_6M", KI, 256, 0, scaled_by_pipeline, data->x, data->y, data->out, 6),
    MM("hmm_staged_2_1024x1024x512", dim3(16, 16), 128, 0, hmm_staged<2>, HALVES, 1024, 512),
    MM("hmm_staged_4_1024x1024x1024", dim3(16, 16), 128, 0, hmm_staged<4>, HALVES, 1024, 1024),
    MM("hmm_staged_3_2048x2048x256", dim3(32, 32), 128, 0, hmm_staged<3>, HALVES, 2048, 256),
    MM("hmm_first_fragments_1024x1024x256", dim3(32, 32), 128, 0, hmm_first_fragments, HALVES, 1024,
       256),
};
BANK_FAMILY(stages)
