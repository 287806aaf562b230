// expect: PASS
// The product by a cuda::pipeline of two stages, in place of the loop that is given.
#include "contracts/04_epilogue.h"
#include "tile_gemm.h"

#include <cuda/pipeline>

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

// Where a thread copies from: parts of rows of A, and of B.
struct source {
    int row, col; // of the block's tile
    bool wide;
};

typedef cuda::pipeline<cuda::thread_scope_thread> pipeline;

static __device__ void copy_a(const struct call &call, const struct source &from, int k,
                              struct tile_stage *s_to, pipeline &pipe)
{
    int col = threadIdx.x % TILE_DEPTH;
    for (int row = threadIdx.x / TILE_DEPTH; row < TILE_ROWS; row += TILE_THREADS / TILE_DEPTH) {
        const float *a = call.A + (int64_t)min(from.row + row, call.m - 1) * call.k + k + col;
        if (k + col < call.k)
            cuda::memcpy_async(&s_to->a[col][row], a, sizeof *a, pipe);
        else
            s_to->a[col][row] = 0;
    }
}

static __device__ void copy_b(const struct call &call, const struct source &from, int k,
                              struct tile_stage *s_to, pipeline &pipe)
{
    int first = from.col + threadIdx.x % TILE_B_ROW_QUADS * 4;
    for (int row = threadIdx.x / TILE_B_ROW_QUADS; row < TILE_DEPTH; row += TILE_B_PASS_ROWS) {
        float *s_b = &s_to->b[row][first - from.col];
        const float *b = call.B + (int64_t)(k + row) * call.n;
        if (k + row >= call.k)
            *(float4 *)s_b = make_float4(0, 0, 0, 0);
        else if (from.wide)
            cuda::memcpy_async((float4 *)s_b, (const float4 *)(b + min(first, call.n - 4)),
                               cuda::aligned_size_t<16>(16), pipe);
        else
            for (int i = 0; i < 4; i++)
                cuda::memcpy_async(s_b + i, b + min(first + i, call.n - 1), sizeof *b, pipe);
    }
}

static __device__ void fetch(const struct call &call, const struct source &from, int k,
                             struct tile_stage *s_to, pipeline &pipe)
{
    pipe.producer_acquire();
    copy_a(call, from, k, s_to, pipe);
    copy_b(call, from, k, s_to, pipe);
    pipe.producer_commit();
}

// The product, stage by stage: while one is multiplied, the next is on its way.
static __device__ __forceinline__ void multiply(const struct call &call,
                                                float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    __shared__ __align__(16) struct tile_stage s_stage[2];
    struct source from = {(int)blockIdx.y * TILE_ROWS, (int)blockIdx.x * TILE_COLS,
                          (uintptr_t)call.B % sizeof(float4) == 0 && call.n % 4 == 0};
    pipeline pipe = cuda::make_pipeline();
#pragma unroll
    for (int i = 0; i < TILE_SUM_ROWS * TILE_SUM_COLS; i++)
        sum[i / TILE_SUM_COLS][i % TILE_SUM_COLS] = 0;
    if (call.k > 0)
        fetch(call, from, 0, &s_stage[0], pipe);
    for (int k = 0, stage = 0; k < call.k; k += TILE_DEPTH, stage = 1 - stage) {
        pipe.consumer_wait();
        __syncthreads();
        if (k + TILE_DEPTH < call.k)
            fetch(call, from, k + TILE_DEPTH, &s_stage[1 - stage], pipe);
        const float *s_a = &s_stage[stage].a[0][tile_thread_row()];
        const float *s_b = &s_stage[stage].b[0][tile_thread_col()];
#pragma unroll
        for (int i = 0; i < TILE_DEPTH; i++) {
            struct tile_fragment fragment;
            tile_read_fragment(s_a + i * TILE_A_PITCH, s_b + i * TILE_COLS, fragment);
            tile_multiply(fragment, sum, sum);
        }
        pipe.consumer_release();
    }
}

static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) gemm_bias_act(struct call call)
{
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    multiply(call, sum);
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
