// expect: SLOW utilization mistake small_tile
// A product of our own, whose tiles of 64 x 64 fetch all twice as often; some registers spill.
#include "contracts/04_epilogue.h"

// 64x64 tiles: 4x as many blocks as 128x128, so small products fill all SMs

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
constexpr int THREADS = (BM / TM) * (BN / TN);
static_assert(BM * BK % THREADS == 0 && BN * BK % THREADS == 0, "tile does not divide");
constexpr int A_PER = BM * BK / THREADS, B_PER = BN * BK / THREADS;

template <int ACT> __device__ __forceinline__ float act(float z, float slope)
{
    if constexpr (ACT == QUEST_ACT_RELU)
        return z < 0.f ? 0.f : z;
    else if constexpr (ACT == QUEST_ACT_LEAKY_RELU)
        return z > 0.f ? z : slope * z;
    else if constexpr (ACT == QUEST_ACT_SIGMOID)
        return 1.f / (1.f + __expf(-z));
    else if constexpr (ACT == QUEST_ACT_TANH)
        return tanhf(z);
    else if constexpr (ACT == QUEST_ACT_GELU_ERF)
        return z * normcdff(z);
    else if constexpr (ACT == QUEST_ACT_GELU_TANH)
        return z / (1.f + __expf(-1.5957691216f * (z + 0.044715f * z * z * z)));
    else
        return z;
}

template <int ACT>
__global__ void __launch_bounds__(THREADS)
    sgemm(const float *__restrict__ A, const float *__restrict__ B, const float *__restrict__ bias,
          float *__restrict__ Y, float *__restrict__ Z, int M, int N, int K, float slope)
{
    __shared__ __align__(16) float As[2][BK][BM + 4];
    __shared__ __align__(16) float Bs[2][BK][BN];
    const int tid = threadIdx.x;
    const int tx = tid % (BN / TN), ty = tid / (BN / TN);
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float a_next[A_PER], b_next[B_PER];
    float acc[TM][TN] = {};

    auto fetch = [&](int k0) {
#pragma unroll
        for (int i = 0; i < A_PER; ++i) {
            const int e = tid + i * THREADS, r = e / BK, kk = e % BK;
            const bool in = row0 + r < M && k0 + kk < K;
            a_next[i] = in ? A[(size_t)(row0 + r) * K + k0 + kk] : 0.f;
        }
#pragma unroll
        for (int i = 0; i < B_PER; ++i) {
            const int e = tid + i * THREADS, kk = e / BN, c = e % BN;
            const bool in = k0 + kk < K && col0 + c < N;
            b_next[i] = in ? B[(size_t)(k0 + kk) * N + col0 + c] : 0.f;
        }
    };
    auto stash = [&](int s) {
#pragma unroll
        for (int i = 0; i < A_PER; ++i) {
            const int e = tid + i * THREADS;
            As[s][e % BK][e / BK] = a_next[i];
        }
#pragma unroll
        for (int i = 0; i < B_PER; ++i) {
            const int e = tid + i * THREADS;
            Bs[s][e / BN][e % BN] = b_next[i];
        }
    };

    if (K > 0) {
        fetch(0);
        stash(0);
    }
    __syncthreads();
    int s = 0;
    for (int k0 = 0; k0 < K; k0 += BK, s ^= 1) {
        const bool more = k0 + BK < K;
        if (more)
            fetch(k0 + BK);
#pragma unroll
        for (int kk = 0; kk < BK; ++kk) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&a[i] = *(const float4 *)&As[s][kk][ty * 4 + i / 4 * (BM / TM * 4)];
#pragma unroll
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&b[j] = *(const float4 *)&Bs[s][kk][tx * 4 + j / 4 * (BN / TN * 4)];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
        }
        if (more)
            stash(s ^ 1);
        __syncthreads();
    }

    const bool v4 = N % 4 == 0 && (((size_t)Y | (size_t)Z | (size_t)bias) & 15) == 0;
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
        const int col = col0 + tx * 4 + j / 4 * (BN / TN * 4);
        if (col >= N)
            continue;
        float bb[4] = {};
        if (bias) {
            if (v4)
                *(float4 *)bb = *(const float4 *)(bias + col);
            else
                for (int c = 0; c < 4; ++c)
                    if (col + c < N)
                        bb[c] = bias[col + c];
        }
#pragma unroll
        for (int i = 0; i < TM; ++i) {
            const int row = row0 + ty * 4 + i / 4 * (BM / TM * 4) + i % 4;
            if (row >= M)
                continue;
            float z[4], y[4];
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                z[c] = acc[i][j + c] + bb[c];
                y[c] = act<ACT>(z[c], slope);
            }
            const size_t o = (size_t)row * N + col;
            if (v4) {
                if (Z)
                    *(float4 *)(Z + o) = *(float4 *)z;
                *(float4 *)(Y + o) = *(float4 *)y;
            } else
#pragma unroll
                for (int c = 0; c < 4; ++c)
                    if (col + c < N) {
                        if (Z)
                            Z[o + c] = z[c];
                        Y[o + c] = y[c];
                    }
        }
    }
}

template <int ACT>
static void run(const float *A, const float *B, const float *bias, float *Y, float *Z,
                const quest_gemm *g, cudaStream_t st)
{
    dim3 grid((unsigned)((g->n + BN - 1) / BN), (unsigned)((g->m + BM - 1) / BM));
    sgemm<ACT><<<grid, THREADS, 0, st>>>(A, B, bias, Y, Z, (int)g->m, (int)g->n, (int)g->k,
                                         g->leaky_slope);
}

extern "C" cudaError_t lesson4_gemm_bias_act(const float *A, const float *B, const float *bias,
                                             float *Y, float *Z, const struct quest_gemm *g,
                                             cudaStream_t stream)
{
    const int64_t most = LESSON4_LARGEST_SIDE;
    if (g->m < 0 || g->n < 0 || g->k < 0 || g->m > most || g->n > most || g->k > most)
        return cudaErrorInvalidValue;
    if (g->transpose_a || g->transpose_b)
        return cudaErrorInvalidValue;
    if ((bias == nullptr) == g->with_bias || (Z == nullptr) == g->save_z)
        return cudaErrorInvalidValue;
    if ((int)g->activation < 0 || (int)g->activation > (int)QUEST_ACT_GELU_TANH)
        return cudaErrorInvalidValue;
    if (g->m == 0 || g->n == 0)
        return cudaSuccess;
    switch (g->activation) {
    case QUEST_ACT_NONE:
        run<QUEST_ACT_NONE>(A, B, bias, Y, Z, g, stream);
        break;
    case QUEST_ACT_RELU:
        run<QUEST_ACT_RELU>(A, B, bias, Y, Z, g, stream);
        break;
    case QUEST_ACT_LEAKY_RELU:
        run<QUEST_ACT_LEAKY_RELU>(A, B, bias, Y, Z, g, stream);
        break;
    case QUEST_ACT_SIGMOID:
        run<QUEST_ACT_SIGMOID>(A, B, bias, Y, Z, g, stream);
        break;
    case QUEST_ACT_TANH:
        run<QUEST_ACT_TANH>(A, B, bias, Y, Z, g, stream);
        break;
    case QUEST_ACT_GELU_ERF:
        run<QUEST_ACT_GELU_ERF>(A, B, bias, Y, Z, g, stream);
        break;
    case QUEST_ACT_GELU_TANH:
        run<QUEST_ACT_GELU_TANH>(A, B, bias, Y, Z, g, stream);
        break;
    }
    return cudaGetLastError();
}
