// expect: SLOW counters mistake pairs_of_floats
// What could be one store of four floats is two of two, with the other lanes' between them.
#include "contracts/04_epilogue.h"
#include "tile_gemm.h"

// The product itself is given, in common/tile_gemm.h: after tile_gemm(), every thread of a block
// has 64 sums in its registers. This lesson is about what becomes of them on their way to memory.

struct call {
    const float *A, *B, *bias; // bias may be NULL
    float *Y, *Z;              // Z may be NULL
    int m, n, k;
    enum quest_activation activation;
    float leaky_slope;
};

// A comparison with NaN is false, so z must be what is left when it is: fmaxf(z, 0) would lose it.
static __device__ float activate(float z, enum quest_activation activation, float leaky_slope)
{
    const float sqrt_half = 0.70710678f, sqrt_2_over_pi = 0.79788456f;
    switch (activation) {
    case QUEST_ACT_RELU:
        return z < 0 ? 0 : z;
    case QUEST_ACT_LEAKY_RELU:
        return z > 0 ? z : leaky_slope * z;
    case QUEST_ACT_SIGMOID:
        return 1 / (1 + expf(-z));
    case QUEST_ACT_TANH:
        return tanhf(z);
    case QUEST_ACT_GELU_ERF:
        return 0.5f * z * (1 + erff(sqrt_half * z));
    case QUEST_ACT_GELU_TANH:
        // (1 + tanh u) / 2 is 1 / (1 + exp(-2u)): quicker, and nothing cancels below 0
        return __fdividef(z, 1 + __expf(-2 * sqrt_2_over_pi * (z + 0.044715f * z * z * z)));
    case QUEST_ACT_NONE:
        break;
    }
    return z;
}

// one kernel; the activation is a template parameter so the switch is gone at compile time
template <enum quest_activation ACT>
static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) fused(struct call call)
{
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(call.A, call.B, call.m, call.n, call.k, sum);

    // pairs: float2 needs 8 bytes only, which works for more shapes than float4
    const bool can_vec = call.n % 2 == 0 && ((uintptr_t)call.Y | (uintptr_t)call.Z) % 8 == 0;

#pragma unroll
    for (int q = 0; q < TILE_SUM_COLS / 4; q++) {
        const int col = tile_col(4 * q);
        if (col >= call.n)
            continue;
        float b[4];
#pragma unroll
        for (int c = 0; c < 4; c++)
            b[c] = (call.bias && col + c < call.n) ? call.bias[col + c] : 0.0f;
#pragma unroll
        for (int r = 0; r < TILE_SUM_ROWS; r++) {
            const int row = tile_row(r);
            if (row >= call.m)
                continue;
            const int64_t at = (int64_t)row * call.n + col;
            float z[4], y[4];
#pragma unroll
            for (int c = 0; c < 4; c++) {
                z[c] = sum[r][4 * q + c] + b[c];
                y[c] = activate(z[c], ACT, call.leaky_slope);
            }
            if (can_vec) {
#pragma unroll
                for (int c = 0; c < 4; c += 2)
                    if (col + c < call.n) {
                        if (call.Z)
                            *reinterpret_cast<float2 *>(call.Z + at + c) =
                                make_float2(z[c], z[c + 1]);
                        *reinterpret_cast<float2 *>(call.Y + at + c) = make_float2(y[c], y[c + 1]);
                    }
            } else {
#pragma unroll
                for (int c = 0; c < 4; c++)
                    if (col + c < call.n) {
                        if (call.Z)
                            call.Z[at + c] = z[c];
                        call.Y[at + c] = y[c];
                    }
            }
        }
    }
}

static void launch(const struct call &call, cudaStream_t stream)
{
    dim3 grid = tile_grid(call.m, call.n);
#define K(ACT) fused<ACT><<<grid, TILE_THREADS, 0, stream>>>(call)
    switch (call.activation) {
    case QUEST_ACT_NONE:
        K(QUEST_ACT_NONE);
        break;
    case QUEST_ACT_RELU:
        K(QUEST_ACT_RELU);
        break;
    case QUEST_ACT_LEAKY_RELU:
        K(QUEST_ACT_LEAKY_RELU);
        break;
    case QUEST_ACT_SIGMOID:
        K(QUEST_ACT_SIGMOID);
        break;
    case QUEST_ACT_TANH:
        K(QUEST_ACT_TANH);
        break;
    case QUEST_ACT_GELU_ERF:
        K(QUEST_ACT_GELU_ERF);
        break;
    case QUEST_ACT_GELU_TANH:
        K(QUEST_ACT_GELU_TANH);
        break;
    }
#undef K
}

static bool is_side(int64_t side)
{
    return side >= 0 && side <= LESSON4_LARGEST_SIDE;
}

cudaError_t lesson4_gemm_bias_act(const float *A, const float *B, const float *bias, float *Y,
                                  float *Z, const struct quest_gemm *gemm, cudaStream_t stream)
{
    if (!is_side(gemm->m) || !is_side(gemm->n) || !is_side(gemm->k) || gemm->transpose_a ||
        gemm->transpose_b || (bias != NULL) != gemm->with_bias || (Z != NULL) != gemm->save_z ||
        gemm->activation < QUEST_ACT_NONE || gemm->activation > QUEST_ACT_GELU_TANH)
        return cudaErrorInvalidValue;
    struct call call = {A,
                        B,
                        bias,
                        Y,
                        Z,
                        (int)gemm->m,
                        (int)gemm->n,
                        (int)gemm->k,
                        gemm->activation,
                        gemm->leaky_slope};
    if (call.m > 0 && call.n > 0)
        launch(call, stream);
    return cudaGetLastError();
}
