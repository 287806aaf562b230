// expect: PASS
// The sums go through shared memory, eight rows of 32 a warp at a time, so that a warp writes each
// of them at once, a float a lane. That needs no alignment, and no float4.
#include "contracts/04_epilogue.h"
#include "tile_gemm.h"

enum { WARPS = TILE_THREADS / 32, ROWS = 8 };

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

static __global__ void __launch_bounds__(TILE_THREADS) gemm(struct call p)
{
    __shared__ float s_row[WARPS][ROWS][TILE_WARP_COLS + 1];
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(p.A, p.B, p.m, p.n, p.k, sum);

    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, above = lane / 2 % ROWS * 4;
    int left = tile_thread_col() % TILE_WARP_COLS;
    int col = tile_col(0) - left + lane;
    float bias = p.bias && col < p.n ? p.bias[col] : 0;
#pragma unroll
    for (int r = 0; r < TILE_SUM_ROWS; r++) {
        __syncwarp();
#pragma unroll
        for (int c = 0; c < TILE_SUM_COLS; c++)
            s_row[warp][above / 4][left + c / 4 * TILE_SQUARE_ACROSS + c % 4] = sum[r][c];
        __syncwarp();
        for (int i = 0; i < ROWS; i++) {
            int64_t row = tile_row(r) - above + 4 * i;
            if (row >= p.m || col >= p.n)
                continue;
            float z = s_row[warp][i][lane] + bias;
            if (p.Z)
                p.Z[row * p.n + col] = z;
            p.Y[row * p.n + col] = activate(z, p.activation, p.slope);
        }
    }
}

cudaError_t lesson4_gemm_bias_act(const float *A, const float *B, const float *bias, float *Y,
                                  float *Z, const struct quest_gemm *q, cudaStream_t stream)
{
    struct call p = {A, B, bias, Y, Z, (int)q->m, (int)q->n, (int)q->k, q->activation,
                     q->leaky_slope};
    if (p.m > 0 && p.n > 0)
        gemm<<<tile_grid(p.m, p.n), TILE_THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}
