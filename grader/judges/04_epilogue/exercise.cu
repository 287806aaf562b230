// Lesson 4, fused epilogues. First `make notes`, and read build/notes/04_epilogue.html.
// What the launcher must do: common/contracts/04_epilogue.h
// Judge it with: make check-lesson4        Stuck? make hint-lesson4
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

// quest: begin
// TODO: one kernel in place of four. Bias and activation are applied to the sums while they are in
// registers; Z and Y are written once, and neither is ever read. Roughly 55 lines. What stands in a
// loop that is unrolled is there as often as the loop turns: mind the switch in activate().
static const int THREADS = 256;

static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) gemm(struct call call)
{
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(call.A, call.B, call.m, call.n, call.k, sum);
#pragma unroll
    for (int r = 0; r < TILE_SUM_ROWS; r++)
#pragma unroll
        for (int c = 0; c < TILE_SUM_COLS; c++)
            if (tile_row(r) < call.m && tile_col(c) < call.n)
                call.Y[(int64_t)tile_row(r) * call.n + tile_col(c)] = sum[r][c];
}

static __global__ void add_bias(struct call call)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < (int64_t)call.m * call.n)
        call.Y[i] += call.bias[i % call.n];
}

static __global__ void copy_to_z(struct call call)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < (int64_t)call.m * call.n)
        call.Z[i] = call.Y[i];
}

static __global__ void apply_activation(struct call call)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < (int64_t)call.m * call.n)
        call.Y[i] = activate(call.Y[i], call.activation, call.leaky_slope);
}

static void launch(const struct call &call, cudaStream_t stream)
{
    unsigned blocks = (unsigned)(((int64_t)call.m * call.n + THREADS - 1) / THREADS);
    gemm<<<tile_grid(call.m, call.n), TILE_THREADS, 0, stream>>>(call);
    if (call.bias)
        add_bias<<<blocks, THREADS, 0, stream>>>(call);
    if (call.Z)
        copy_to_z<<<blocks, THREADS, 0, stream>>>(call);
    if (call.activation != QUEST_ACT_NONE)
        apply_activation<<<blocks, THREADS, 0, stream>>>(call);
}
// quest: end

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
    struct call call = {A, B, bias, Y, Z, (int)gemm->m, (int)gemm->n, (int)gemm->k,
                        gemm->activation, gemm->leaky_slope};
    if (call.m > 0 && call.n > 0)
        launch(call, stream);
    return cudaGetLastError();
}
