// expect: PASS
// Each warp turns its sums over through shared memory of its own, and stores whole rows of them.
#include "contracts/04_epilogue.h"
#include "tile_gemm.h"

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

enum { WARPS = TILE_THREADS / 32, PART_ROWS = 8, PART_PITCH = TILE_WARP_COLS + 4 };

// Eight rows of a warp's 64 x 32, which it alone writes and reads: no other warp waits.
struct part {
    float value[PART_ROWS][PART_PITCH];
};

// Rows of Y and Z may start anywhere, but where all of them start at a multiple of 16 bytes, the
// four neighbours that a lane has are written together.
static __device__ bool is_wide(const struct call &call)
{
    return ((uintptr_t)call.Y | (uintptr_t)call.Z) % sizeof(float4) == 0 && call.n % 4 == 0;
}

static __device__ void store_quad(float *to, float4 quad, int inside, bool wide)
{
    float single[4] = {quad.x, quad.y, quad.z, quad.w};
    if (wide && inside > 0)
        *(float4 *)to = quad;
    for (int i = 0; i < 4 && !wide; i++)
        if (i < inside)
            to[i] = single[i];
}

template <enum quest_activation ACTIVATION>
static __device__ float4 activate_quad(float4 z, float slope)
{
    return make_float4(activate(z.x, ACTIVATION, slope), activate(z.y, ACTIVATION, slope),
                       activate(z.z, ACTIVATION, slope), activate(z.w, ACTIVATION, slope));
}

// Sums change lanes by way of the warp's own part, so that eight lanes write a row's 32 columns.
template <enum quest_activation ACTIVATION>
static __device__ __forceinline__ void finish(const struct call &call, struct part *s_part,
                                              const float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    int lane = threadIdx.x % 32, own = tile_thread_col() % TILE_WARP_COLS;
    int col = (int)blockIdx.x * TILE_COLS +
              tile_thread_col() / TILE_WARP_COLS * TILE_WARP_COLS + lane % 8 * 4;
    int first_row = (int)blockIdx.y * TILE_ROWS +
                    tile_thread_row() / TILE_WARP_ROWS * TILE_WARP_ROWS;
    int inside = call.n - col;
    float bias[4] = {0};
    for (int i = 0; i < 4; i++)
        if (call.bias && i < inside)
            bias[i] = call.bias[col + i];
#pragma unroll
    for (int r = 0; r < TILE_SUM_ROWS; r++) {
#pragma unroll
        for (int c = 0; c < TILE_SUM_COLS; c += 4)
            *(float4 *)&s_part->value[lane / 2 % 8][own + c / 4 * TILE_SQUARE_ACROSS] =
                make_float4(sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]);
        __syncwarp();
#pragma unroll
        for (int i = lane / 8; i < PART_ROWS; i += 4) {
            int row = first_row + 4 * i + r / 4 * TILE_SQUARE_DOWN + r % 4;
            float4 z = *(const float4 *)&s_part->value[i][lane % 8 * 4];
            int64_t first = (int64_t)row * call.n + col;
            z = make_float4(z.x + bias[0], z.y + bias[1], z.z + bias[2], z.w + bias[3]);
            if (row < call.m && call.Z)
                store_quad(call.Z + first, z, inside, is_wide(call));
            if (row < call.m)
                store_quad(call.Y + first, activate_quad<ACTIVATION>(z, call.leaky_slope), inside,
                           is_wide(call));
        }
        __syncwarp();
    }
}

static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) gemm_bias_act(struct call call)
{
    __shared__ __align__(16) struct part s_parts[WARPS];
    struct part *s_part = &s_parts[threadIdx.x / 32];
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(call.A, call.B, call.m, call.n, call.k, sum);
    switch (call.activation) {
    case QUEST_ACT_NONE:       return finish<QUEST_ACT_NONE>(call, s_part, sum);
    case QUEST_ACT_RELU:       return finish<QUEST_ACT_RELU>(call, s_part, sum);
    case QUEST_ACT_LEAKY_RELU: return finish<QUEST_ACT_LEAKY_RELU>(call, s_part, sum);
    case QUEST_ACT_SIGMOID:    return finish<QUEST_ACT_SIGMOID>(call, s_part, sum);
    case QUEST_ACT_TANH:       return finish<QUEST_ACT_TANH>(call, s_part, sum);
    case QUEST_ACT_GELU_ERF:   return finish<QUEST_ACT_GELU_ERF>(call, s_part, sum);
    case QUEST_ACT_GELU_TANH:  return finish<QUEST_ACT_GELU_TANH>(call, s_part, sum);
    }
}

static void launch(const struct call &call, cudaStream_t stream)
{
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
