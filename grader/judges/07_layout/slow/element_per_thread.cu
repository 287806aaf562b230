// expect: SLOW counters mistake element_per_thread
// Coalesced in the timed case, but each thread loads what its element needs, and shares nothing.
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

// A thread computes an element, and neighbouring lanes have neighbours of a stored row.
static __global__ void element(struct product p)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= p.rows || col >= p.cols)
        return;
    float sum = 0;
    for (int i = 0; i < p.k; i++) {
        int64_t at_left =
            p.left.along_k ? (int64_t)row * p.k + i : (int64_t)i * p.left.side + row;
        int64_t at_right =
            p.right.along_k ? (int64_t)col * p.k + i : (int64_t)i * p.right.side + col;
        sum += p.left.at[at_left] * p.right.at[at_right];
    }
    sum += p.bias_of_rows ? p.bias_of_rows[row] : 0;
    sum += p.bias_of_cols ? p.bias_of_cols[col] : 0;
    p.Y[(int64_t)row * p.ld + col] = sum;
}

static void launch(const struct call &call, cudaStream_t stream)
{
    struct product p = product_of(call);
    dim3 grid((p.cols + 31) / 32, (p.rows + 15) / 16);
    element<<<grid, dim3(32, 16), 0, stream>>>(p);
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
