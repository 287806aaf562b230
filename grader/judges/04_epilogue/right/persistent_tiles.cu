// expect: PASS
// As many blocks as fit the device, each of which goes from tile to tile.
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

// Which tile of Y a block is at.
struct place {
    int row, col; // of its first element
};

// What becomes of a thread's sums. A switch in these loops would be unrolled with them, all seven
// activations for each of 64 sums: more code than the instruction cache holds. So the kernel asks
// once which activation it is, and comes here with the answer.
template <enum quest_activation ACTIVATION>
static __device__ __forceinline__ void finish(const struct call &call, struct place at,
                                              const float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
#pragma unroll
    for (int c = 0; c < TILE_SUM_COLS; c += 4) {
        int col = at.col + tile_thread_col() + c / 4 * TILE_SQUARE_ACROSS;
        int inside = call.n - col;
        float bias[4] = {0}, z[4], y[4];
        for (int i = 0; i < 4; i++) // once for all rows
            if (call.bias && i < inside)
                bias[i] = call.bias[col + i];
#pragma unroll
        for (int r = 0; r < TILE_SUM_ROWS; r++) {
            int row = at.row + tile_thread_row() + r / 4 * TILE_SQUARE_DOWN + r % 4;
            int64_t first = (int64_t)row * call.n + col;
            if (row >= call.m)
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

static __device__ void finish_as_asked(const struct call &call, struct place at,
                                       const float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    switch (call.activation) {
    case QUEST_ACT_NONE:       return finish<QUEST_ACT_NONE>(call, at, sum);
    case QUEST_ACT_RELU:       return finish<QUEST_ACT_RELU>(call, at, sum);
    case QUEST_ACT_LEAKY_RELU: return finish<QUEST_ACT_LEAKY_RELU>(call, at, sum);
    case QUEST_ACT_SIGMOID:    return finish<QUEST_ACT_SIGMOID>(call, at, sum);
    case QUEST_ACT_TANH:       return finish<QUEST_ACT_TANH>(call, at, sum);
    case QUEST_ACT_GELU_ERF:   return finish<QUEST_ACT_GELU_ERF>(call, at, sum);
    case QUEST_ACT_GELU_TANH:  return finish<QUEST_ACT_GELU_TANH>(call, at, sum);
    }
}

// tile_copier_start of common/tile_gemm.h begins where blockIdx says; this one at any tile.
static __device__ __forceinline__ struct tile_copier start(const struct call &call,
                                                           struct place at,
                                                           struct tile_stage *s_stage)
{
    int a_row = threadIdx.x / TILE_A_PASS_COLS, a_col = threadIdx.x % TILE_A_PASS_COLS;
    int b_row = threadIdx.x / TILE_B_ROW_QUADS, b_col = threadIdx.x % TILE_B_ROW_QUADS * 4;
    struct tile_copier copier;
    copier.s_a = &s_stage->a[a_col][a_row];
    copier.s_b = &s_stage->b[b_row][b_col];
    copier.wide = (uintptr_t)call.B % sizeof(float4) == 0 && call.n % 4 == 0;
    b_col = min(at.col + b_col, copier.wide ? call.n - 4 : call.n - 1);
    for (int i = 0; i < TILE_A_PASSES; i++) {
        int row = min(at.row + a_row + i * TILE_A_PASS_ROWS, call.m - 1);
        copier.a[i] = call.A + (int64_t)row * call.k + a_col;
    }
    copier.b = call.B + (int64_t)b_row * call.n + b_col;
    copier.last_col = call.n - 1 - b_col;
    return copier;
}

static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) gemm_bias_act(struct call call)
{
    __shared__ __align__(16) struct tile_stage s_stage[2];
    int across = (call.n + TILE_COLS - 1) / TILE_COLS;
    int64_t tiles = (int64_t)across * ((call.m + TILE_ROWS - 1) / TILE_ROWS);
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        struct place at = {(int)(tile / across) * TILE_ROWS, (int)(tile % across) * TILE_COLS};
        float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
        struct tile_copier copier = start(call, at, s_stage);
        if (copier.wide)
            tile_loop<true>(copier, s_stage, call.n, call.k, sum);
        else
            tile_loop<false>(copier, s_stage, call.n, call.k, sum);
        finish_as_asked(call, at, sum);
        __syncthreads(); // the next tile's copies go where this one's were read
    }
}

static cudaError_t launch(const struct call &call, cudaStream_t stream)
{
    int device, multiprocessors;
    dim3 tiles = tile_grid(call.m, call.n);
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    int64_t count = (int64_t)tiles.x * tiles.y, most = (int64_t)multiprocessors * TILE_BLOCKS;
    gemm_bias_act<<<(unsigned)(count < most ? count : most), TILE_THREADS, 0, stream>>>(call);
    return cudaGetLastError();
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
    return call.m > 0 && call.n > 0 ? launch(call, stream) : cudaSuccess;
}
