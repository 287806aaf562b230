// expect: SLOW counters mistake small_tile
// Lesson 2's plain tile, 32 x 32, turned on its way into shared memory where that is needed: each
// element is used 32 times.
#include "contracts/07_layout.h"

struct call {
    const float *A, *B, *bias; // bias may be NULL
    float *Y;
    int m, n, k, ldy;
    bool transpose_a, transpose_b, y_transposed;
};

// Y^T = op(B)^T op(A)^T. So a call that wants Y transposed is a call that does not, with A and B in
// each other's place and read the other way: its rows are Y's columns. What is left is a product of
// `left`, rows x k, and `right`, k x cols, whose rows are stored ld apart.
struct operand {
    const float *at;
    int side;     // its other side is k
    bool along_k; // neighbours in memory are neighbours along k: stored side x k, else k x side
};

struct product {
    struct operand left, right;
    int k;
    const float *bias_of_rows, *bias_of_cols; // one of them at most; else NULL
    float *Y;
    int rows, cols, ld;
};

static struct product product_of(const struct call &call)
{
    struct operand a = {call.A, call.m, !call.transpose_a};
    struct operand b = {call.B, call.n, call.transpose_b};
    if (call.y_transposed)
        return {b, a, call.k, call.bias, NULL, call.Y, call.n, call.m, call.ldy};
    return {a, b, call.k, NULL, call.bias, call.Y, call.m, call.n, call.ldy};
}

enum { TILE = 32, PITCH = TILE + 1 };

// s_tile[k][place], with zeros outside; neighbouring lanes read neighbours, in either layout.
static __device__ void load_tile(const struct operand &of, int k, int first_place, int first_k,
                                 float (*s_tile)[PITCH])
{
    int x = threadIdx.x, y = threadIdx.y;
    int place = first_place + (of.along_k ? y : x), at_k = first_k + (of.along_k ? x : y);
    int64_t at = of.along_k ? (int64_t)place * k + at_k : (int64_t)at_k * of.side + place;
    float value = place < of.side && at_k < k ? of.at[at] : 0;
    if (of.along_k)
        s_tile[x][y] = value;
    else
        s_tile[y][x] = value;
}

static __global__ void gemm(struct product p)
{
    __shared__ float s_left[TILE][PITCH], s_right[TILE][PITCH];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int first = 0; first < p.k; first += TILE) {
        load_tile(p.left, p.k, blockIdx.y * TILE, first, s_left);
        load_tile(p.right, p.k, blockIdx.x * TILE, first, s_right);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += s_left[i][y] * s_right[i][x];
        __syncthreads();
    }
    if (row >= p.rows || col >= p.cols)
        return;
    sum += p.bias_of_rows ? p.bias_of_rows[row] : 0;
    sum += p.bias_of_cols ? p.bias_of_cols[col] : 0;
    p.Y[(int64_t)row * p.ld + col] = sum;
}

static void launch(const struct call &call, cudaStream_t stream)
{
    struct product p = product_of(call);
    dim3 grid((p.cols + TILE - 1) / TILE, (p.rows + TILE - 1) / TILE);
    gemm<<<grid, dim3(TILE, TILE), 0, stream>>>(p);
}

static bool is_side(int64_t side)
{
    return side >= 0 && side <= LESSON7_LARGEST_SIDE;
}

cudaError_t lesson7_gemm_layout(const float *A, const float *B, const float *bias, float *Y,
                                int64_t ldy, bool y_transposed, const struct quest_gemm *gemm,
                                cudaStream_t stream)
{
    if (!is_side(gemm->m) || !is_side(gemm->n) || !is_side(gemm->k) || !is_side(ldy) ||
        ldy < (y_transposed ? gemm->m : gemm->n) || gemm->activation != QUEST_ACT_NONE ||
        gemm->save_z || (bias != NULL) != gemm->with_bias)
        return cudaErrorInvalidValue;
    struct call call = {A, B, bias, Y, (int)gemm->m, (int)gemm->n, (int)gemm->k, (int)ldy,
                        gemm->transpose_a, gemm->transpose_b, y_transposed};
    if (call.m > 0 && call.n > 0)
        launch(call, stream);
    return cudaGetLastError();
}
