// Lesson 7, the layout contract. First `make notes`, and read build/notes/07_layout.html.
// What the launcher must do: common/contracts/07_layout.h
// Judge it with: make check-lesson7        Stuck? make hint-lesson7
#include "contracts/07_layout.h"
#include "tile_gemm.h"

// The loop over k is given: tile_loop_of() in common/tile_gemm.h multiplies whatever tiles it finds
// in shared memory. This lesson is about how they come there from each layout of A and B, and about
// where the sums go from the registers.

struct call {
    const float *A, *B, *bias; // bias may be NULL
    float *Y;
    int m, n, k, ldy;
    bool transpose_a, transpose_b, y_transposed;
};

// quest: begin
// TODO: tiles in the place of single elements. Whichever way A and B are stored, neighbouring lanes
// read neighbouring floats; whichever way Y is, they write neighbouring floats. Roughly 200 lines,
// most of them copiers for tile_loop_of(). The kernel below does neither: a thread computes one
// element, and with y_transposed its lanes write into 32 rows of Y.
enum { BLOCK_COLS = 32, BLOCK_ROWS = 16 };

static __global__ void element_per_thread(struct call call)
{
    int col = blockIdx.x * BLOCK_COLS + threadIdx.x, row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
    if (row >= call.m || col >= call.n)
        return;
    float sum = 0;
    for (int i = 0; i < call.k; i++) {
        int64_t at_a = call.transpose_a ? (int64_t)i * call.m + row : (int64_t)row * call.k + i;
        int64_t at_b = call.transpose_b ? (int64_t)col * call.k + i : (int64_t)i * call.n + col;
        sum += call.A[at_a] * call.B[at_b];
    }
    sum += call.bias ? call.bias[col] : 0;
    call.Y[call.y_transposed ? (int64_t)col * call.ldy + row : (int64_t)row * call.ldy + col] = sum;
}

static void launch(const struct call &call, cudaStream_t stream)
{
    dim3 block(BLOCK_COLS, BLOCK_ROWS);
    dim3 grid((call.n + BLOCK_COLS - 1) / BLOCK_COLS, (call.m + BLOCK_ROWS - 1) / BLOCK_ROWS);
    element_per_thread<<<grid, block, 0, stream>>>(call);
}
// quest: end

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
