// expect: PASS
// A product of its own in the classic layout, 16 x 16 threads of 8 x 8 sums, whose bias is loaded
// by single floats, once a tile: more sectors than the least, and nobody waits for them.
#include "contracts/04_epilogue.h"

enum { TILE = 128, DEPTH = 16, SUMS = 8, ACROSS = TILE / SUMS, THREADS = ACROSS * ACROSS,
       LOADS = TILE * DEPTH / 4 / THREADS };

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

// Element s of a thread's eight rows or columns: four neighbours here, four half a tile on.
static __device__ int place(int thread, int s)
{
    return s / 4 * (TILE / 2) + thread * 4 + s % 4;
}

// Four neighbours of a row that is so long; zeros where there is nothing.
static __device__ float4 four(const float *from, int64_t row, int rows, int col, int cols)
{
    const float *at = from + row * cols + col;
    if (row < rows && col + 4 <= cols && (uintptr_t)at % 16 == 0)
        return *(const float4 *)at;
    bool is_row = row < rows;
    return make_float4(is_row && col < cols ? at[0] : 0, is_row && col + 1 < cols ? at[1] : 0,
                       is_row && col + 2 < cols ? at[2] : 0, is_row && col + 3 < cols ? at[3] : 0);
}

struct fetched {
    float4 a[LOADS], b[LOADS];
};

static __device__ void fetch(const struct call &call, int first, struct fetched &f)
{
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        int at = 4 * (threadIdx.x + i * THREADS);
        f.a[i] = four(call.A, row0 + at / DEPTH, call.m, first + at % DEPTH, call.k);
        f.b[i] = four(call.B, first + at / TILE, call.k, col0 + at % TILE, call.n);
    }
}

static __device__ void put(const struct fetched &f, float (*s_a)[TILE + 4], float (*s_b)[TILE])
{
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        int at = 4 * (threadIdx.x + i * THREADS), row = at / DEPTH, d = at % DEPTH;
        s_a[d][row] = f.a[i].x, s_a[d + 1][row] = f.a[i].y;
        s_a[d + 2][row] = f.a[i].z, s_a[d + 3][row] = f.a[i].w;
        *(float4 *)&s_b[at / TILE][at % TILE] = f.b[i];
    }
}

template <enum quest_activation ACTIVATION>
static __device__ __forceinline__ void finish(const struct call &call, float (&sum)[SUMS][SUMS])
{
    int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
    bool wide = ((uintptr_t)call.Y | (uintptr_t)call.Z) % 16 == 0 && call.n % 4 == 0;
    float bias[SUMS];
#pragma unroll
    for (int c = 0; c < SUMS; c++) {
        int col = blockIdx.x * TILE + place(x, c);
        bias[c] = call.bias && col < call.n ? call.bias[col] : 0;
    }
#pragma unroll
    for (int r = 0; r < SUMS; r++) {
        int row = blockIdx.y * TILE + place(y, r);
        if (row >= call.m)
            continue;
#pragma unroll
        for (int c = 0; c < SUMS; c += 4) {
            int col = blockIdx.x * TILE + place(x, c);
            int64_t at = (int64_t)row * call.n + col;
            float z[4], v[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                z[i] = sum[r][c + i] + bias[c + i];
                v[i] = activate(z[i], ACTIVATION, call.leaky_slope);
            }
            if (wide && col < call.n) {
                if (call.Z)
                    *(float4 *)&call.Z[at] = make_float4(z[0], z[1], z[2], z[3]);
                *(float4 *)&call.Y[at] = make_float4(v[0], v[1], v[2], v[3]);
            }
            for (int i = 0; i < 4 && !wide; i++)
                if (col + i < call.n) {
                    if (call.Z)
                        call.Z[at + i] = z[i];
                    call.Y[at + i] = v[i];
                }
        }
    }
}

static __global__ void __launch_bounds__(THREADS, 2) gemm_bias_act(struct call call)
{
    __shared__ __align__(16) float s_a[2][DEPTH][TILE + 4], s_b[2][DEPTH][TILE];
    int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS, now = 0;
    float sum[SUMS][SUMS] = {};
    struct fetched next;
    fetch(call, 0, next);
    put(next, s_a[0], s_b[0]);
    __syncthreads();
    for (int first = 0; first < call.k; first += DEPTH, now ^= 1) {
        bool more = first + DEPTH < call.k;
        if (more)
            fetch(call, first + DEPTH, next);
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            float a[SUMS], b[SUMS];
#pragma unroll
            for (int s = 0; s < SUMS; s += 4) {
                *(float4 *)&a[s] = *(const float4 *)&s_a[now][d][place(y, s)];
                *(float4 *)&b[s] = *(const float4 *)&s_b[now][d][place(x, s)];
            }
#pragma unroll
            for (int r = 0; r < SUMS; r++)
#pragma unroll
                for (int c = 0; c < SUMS; c++)
                    sum[r][c] += a[r] * b[c];
        }
        if (more)
            put(next, s_a[now ^ 1], s_b[now ^ 1]);
        __syncthreads();
    }
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
    dim3 grid((call.n + TILE - 1) / TILE, (call.m + TILE - 1) / TILE);
    gemm_bias_act<<<grid, THREADS, 0, stream>>>(call);
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
