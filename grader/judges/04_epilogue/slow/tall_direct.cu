// expect: SLOW counters line 112
// The product that is given, but for m above 4096: there each thread computes an element alone.
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

// Rows of Y and Z may start anywhere, but where all of them start at a multiple of 16 bytes, the
// four neighbours that a thread has are written together.
static __device__ bool is_wide(const struct call &call)
{
    return ((uintptr_t)call.Y | (uintptr_t)call.Z) % sizeof(float4) == 0 && call.n % 4 == 0;
}

static __device__ void store_quad(float *to, const float (&quad)[4], int inside, bool wide)
{
    if (wide && inside > 0)
        *(float4 *)to = make_float4(quad[0], quad[1], quad[2], quad[3]);
    for (int i = 0; i < 4 && !wide; i++)
        if (i < inside)
            to[i] = quad[i];
}

// What becomes of a thread's sums. A switch in these loops would be unrolled with them, all seven
// activations for each of 64 sums: more code than the instruction cache holds. So the kernel asks
// once which activation it is, and comes here with the answer.
template <enum quest_activation ACTIVATION>
static __device__ __forceinline__ void finish(const struct call &call,
                                              const float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
#pragma unroll
    for (int c = 0; c < TILE_SUM_COLS; c += 4) {
        int col = tile_col(c), inside = call.n - col;
        float bias[4] = {0}, z[4], y[4];
        for (int i = 0; i < 4; i++) // once for all rows
            if (call.bias && i < inside)
                bias[i] = call.bias[col + i];
#pragma unroll
        for (int r = 0; r < TILE_SUM_ROWS; r++) {
            int64_t first = (int64_t)tile_row(r) * call.n + col;
            if (tile_row(r) >= call.m)
                continue;
            for (int i = 0; i < 4; i++) {
                z[i] = sum[r][c + i] + bias[i];
                y[i] = activate(z[i], ACTIVATION, call.leaky_slope);
            }
            if (call.Z)
                store_quad(call.Z + first, z, inside, is_wide(call));
            store_quad(call.Y + first, y, inside, is_wide(call));
        }
    }
}

static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) gemm_bias_act(struct call call)
{
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(call.A, call.B, call.m, call.n, call.k, sum);
    switch (call.activation) {
    case QUEST_ACT_NONE:       return finish<QUEST_ACT_NONE>(call, sum);
    case QUEST_ACT_RELU:       return finish<QUEST_ACT_RELU>(call, sum);
    case QUEST_ACT_LEAKY_RELU: return finish<QUEST_ACT_LEAKY_RELU>(call, sum);
    case QUEST_ACT_SIGMOID:    return finish<QUEST_ACT_SIGMOID>(call, sum);
    case QUEST_ACT_TANH:       return finish<QUEST_ACT_TANH>(call, sum);
    case QUEST_ACT_GELU_ERF:   return finish<QUEST_ACT_GELU_ERF>(call, sum);
    case QUEST_ACT_GELU_TANH:  return finish<QUEST_ACT_GELU_TANH>(call, sum);
    }
}

// One thread an element, with nothing shared.
enum { LONG_M = 4096, SIDE = 16 };

static __global__ void gemm_direct(struct call call)
{
    int64_t row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;
    if (row >= call.m || col >= call.n)
        return;
    float z = 0;
    for (int i = 0; i < call.k; i++)
        z += call.A[row * call.k + i] * call.B[(int64_t)i * call.n + col];
    z += call.bias ? call.bias[col] : 0;
    if (call.Z)
        call.Z[row * call.n + col] = z;
    call.Y[row * call.n + col] = activate(z, call.activation, call.leaky_slope);
}

static void launch(const struct call &call, cudaStream_t stream)
{
    dim3 grid((call.n + SIDE - 1) / SIDE, (call.m + SIDE - 1) / SIDE);
    if (call.m > LONG_M && grid.y <= UINT16_MAX)
        gemm_direct<<<grid, dim3(SIDE, SIDE), 0, stream>>>(call);
    else
        gemm_bias_act<<<tile_grid(call.m, call.n), TILE_THREADS, 0, stream>>>(call);
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
    struct call call = {A, B, bias, Y, Z, (int)gemm->m, (int)gemm->n, (int)gemm->k,
                        gemm->activation, gemm->leaky_slope};
    if (call.m > 0 && call.n > 0)
        launch(call, stream);
    return cudaGetLastError();
}
