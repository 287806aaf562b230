// expect: WRONG numerics mistake offset_in_32_bits
// The offset of a row is unsigned: Y may have more than 2^32 elements.
#include "contracts/04_epilogue.h"
#include "tile_gemm.h"

struct call {
    const float *A, *B, *bias;
    float *Y, *Z;
    int m, n, k;
    float slope;
};

template <enum quest_activation ACTIVATION> static __device__ float activate(float z, float slope)
{
    switch (ACTIVATION) {
    case QUEST_ACT_RELU: return z < 0 ? 0 : z;
    case QUEST_ACT_LEAKY_RELU: return z > 0 ? z : slope * z;
    case QUEST_ACT_SIGMOID: return 1 / (1 + expf(-z));
    case QUEST_ACT_TANH: return tanhf(z);
    case QUEST_ACT_GELU_ERF: return 0.5f * z * (1 + erff(0.70710678f * z));
    case QUEST_ACT_GELU_TANH:
        return 0.5f * z * (1 + tanhf(0.79788456f * (z + 0.044715f * z * z * z)));
    default: return z;
    }
}

static __device__ void store(float *row, int col, int n, const float (&quad)[4])
{
    if ((uintptr_t)(row + col) % sizeof(float4) == 0 && col + 3 < n) {
        *(float4 *)(row + col) = make_float4(quad[0], quad[1], quad[2], quad[3]);
        return;
    }
    for (int i = 0; i < 4; i++)
        if (col + i < n)
            row[col + i] = quad[i];
}

template <enum quest_activation ACTIVATION>
static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) gemm(struct call p)
{
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(p.A, p.B, p.m, p.n, p.k, sum);
#pragma unroll
    for (int c = 0; c < TILE_SUM_COLS; c += 4) {
        float bias[4] = {0};
        for (int i = 0; i < 4; i++)
            if (p.bias && tile_col(c + i) < p.n)
                bias[i] = p.bias[tile_col(c + i)];
#pragma unroll
        for (int r = 0; r < TILE_SUM_ROWS; r++) {
            int row = tile_row(r);
            if (row >= p.m)
                break;
            float z[4], y[4];
            for (int i = 0; i < 4; i++) {
                z[i] = sum[r][c + i] + bias[i];
                y[i] = activate<ACTIVATION>(z[i], p.slope);
            }
            if (p.Z)
                store(p.Z + (unsigned)row * (unsigned)p.n, tile_col(c), p.n, z);
            store(p.Y + (unsigned)row * (unsigned)p.n, tile_col(c), p.n, y);
        }
    }
}

static void launch(const struct call &p, enum quest_activation activation, cudaStream_t stream)
{
    static void (*const KERNELS[])(struct call) = {
        gemm<QUEST_ACT_NONE>,     gemm<QUEST_ACT_RELU>, gemm<QUEST_ACT_LEAKY_RELU>,
        gemm<QUEST_ACT_SIGMOID>,  gemm<QUEST_ACT_TANH>, gemm<QUEST_ACT_GELU_ERF>,
        gemm<QUEST_ACT_GELU_TANH>};
    KERNELS[activation]<<<tile_grid(p.m, p.n), TILE_THREADS, 0, stream>>>(p);
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
                                  float *Z, const struct quest_gemm *gemm, cudaStream_t stream)
{
    if (!is_askable(bias, Z, gemm))
        return cudaErrorInvalidValue;
    struct call p = {A, B, bias, Y, Z, (int)gemm->m, (int)gemm->n, (int)gemm->k,
                     gemm->leaky_slope};
    if (p.m > 0 && p.n > 0)
        launch(p, gemm->activation, stream);
    return cudaGetLastError();
}
