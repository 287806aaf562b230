// expect: WRONG numerics mistake zeros_skipped
// Leaves out whole tiles of B that hold nothing but zeros, and with them the NaN of A that stand
// opposite them.
#include "contracts/04_epilogue.h"

struct call {
    const float *A, *B, *bias;
    float *Y, *Z;
    int m, n, k;
    enum quest_activation activation;
    float slope;
};

static __device__ float activate(float z, enum quest_activation activation, float slope)
{
    if (activation == QUEST_ACT_RELU)
        return z < 0 ? 0 : z;
    if (activation == QUEST_ACT_LEAKY_RELU)
        return z > 0 ? z : slope * z;
    if (activation == QUEST_ACT_SIGMOID)
        return 1 / (1 + expf(-z));
    if (activation == QUEST_ACT_TANH)
        return tanhf(z);
    if (activation == QUEST_ACT_GELU_ERF)
        return 0.5f * z * (1 + erff(0.70710678f * z));
    if (activation == QUEST_ACT_GELU_TANH)
        return 0.5f * z * (1 + tanhf(0.79788456f * (z + 0.044715f * z * z * z)));
    return z;
}

static __global__ void gemm(struct call p)
{
    __shared__ float s_a[32][32], s_b[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    float z = p.bias && col < p.n ? p.bias[col] : 0;
    for (int first = 0; first < p.k; first += 32) {
        s_a[y][x] = row < p.m && first + x < p.k ? p.A[(int64_t)row * p.k + first + x] : 0;
        s_b[y][x] = first + y < p.k && col < p.n ? p.B[(int64_t)(first + y) * p.n + col] : 0;
        if (__syncthreads_or(s_b[y][x] != 0))
            for (int i = 0; i < 32; i++)
                z += s_a[y][i] * s_b[i][x];
        __syncthreads();
    }
    if (row >= p.m || col >= p.n)
        return;
    if (p.Z)
        p.Z[(int64_t)row * p.n + col] = z;
    p.Y[(int64_t)row * p.n + col] = activate(z, p.activation, p.slope);
}

static bool is_side(int64_t side)
{
    return side >= 0 && side <= LESSON4_LARGEST_SIDE;
}

static bool is_askable(const float *bias, const float *Z, const struct quest_gemm *gemm)
{
    return is_side(gemm->m) && is_side(gemm->n) && is_side(gemm->k) && !gemm->transpose_a &&
           !gemm->transpose_b && (bias != NULL) == gemm->with_bias &&
           (Z != NULL) == gemm->save_z && gemm->activation >= QUEST_ACT_NONE &&
           gemm->activation <= QUEST_ACT_GELU_TANH;
}

cudaError_t lesson4_gemm_bias_act(const float *A, const float *B, const float *bias, float *Y,
                                  float *Z, const struct quest_gemm *g, cudaStream_t stream)
{
    if (!is_askable(bias, Z, g))
        return cudaErrorInvalidValue;
    struct call p = {A, B, bias, Y, Z, (int)g->m, (int)g->n, (int)g->k, g->activation,
                     g->leaky_slope};
    if (p.m > 0 && p.n > 0)
        gemm<<<dim3((p.n + 31) / 32, (p.m + 31) / 32), dim3(32, 32), 0, stream>>>(p);
    return cudaGetLastError();
}
