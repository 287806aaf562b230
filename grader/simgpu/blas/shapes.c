/* shapes.c - see arithmetic.h: how large the operands of a call are. */
#include "arithmetic.h"

uint64_t blas_x_count(const struct blas_call *call)
{
    bool transpose = call->flags & BLAS_TRANSPOSE_A;
    switch (call->operation) {
    case BLAS_STORED_MV:
    case BLAS_GEMV: return transpose ? call->m : call->n;
    case BLAS_GER: return call->m;
    case BLAS_DGMM: return call->flags & BLAS_LEFT ? call->m : call->n;
    default: return call->n;
    }
}

uint64_t blas_y_count(const struct blas_call *call)
{
    bool transpose = call->flags & BLAS_TRANSPOSE_A;
    bool is_product = call->operation == BLAS_GEMV || call->operation == BLAS_STORED_MV;
    return is_product && !transpose ? call->m : call->n;
}

void blas_a_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns)
{
    bool turned = call->flags & BLAS_TRANSPOSE_A, swaps = call->operation == BLAS_GEAM && turned;
    uint64_t side = call->flags & BLAS_LEFT ? call->m : call->n;
    bool is_square = call->operation == BLAS_TRSM || call->operation == BLAS_SYMM ||
                     call->operation == BLAS_TRMM;
    *rows = is_square ? side : swaps ? call->n : call->m;
    *columns = is_square ? side : swaps ? call->m : call->n;
    if (call->operation == BLAS_SYRKX) {
        *rows = turned ? call->k : call->n;
        *columns = turned ? call->n : call->k;
    }
    if (call->operation >= BLAS_STORED_MV) {
        bool packed = call->flags & BLAS_PACKED;
        *rows = packed ? call->n * (call->n + 1) / 2 : call->k + call->above + 1;
        *columns = packed ? 1 : call->n;
    }
}

void blas_b_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns)
{
    bool turned = call->operation == BLAS_GEAM && call->flags & BLAS_TRANSPOSE_B;
    if (call->operation == BLAS_SYRKX) {
        blas_a_shape(call, rows, columns);
        return;
    }
    *rows = turned ? call->n : call->m;
    *columns = turned ? call->m : call->n;
}
