/* sound.c - see arithmetic.h: which operands an operation has, and whether a call, which a program
 * may have made up, can be computed without leaving them. */
#include "arithmetic.h"

const struct blas_operands_used BLAS_OPERANDS[BLAS_OPERATIONS] = {
    [BLAS_COPY] = {"copy", .x = BLAS_READ, .y = BLAS_WRITTEN},
    [BLAS_SWAP] = {"swap", .x = BLAS_WRITTEN, .y = BLAS_WRITTEN},
    [BLAS_SCAL] = {"scal", .x = BLAS_WRITTEN},
    [BLAS_AXPY] = {"axpy", .x = BLAS_READ, .y = BLAS_WRITTEN},
    [BLAS_ROT] = {"rot", .x = BLAS_WRITTEN, .y = BLAS_WRITTEN},
    [BLAS_ROTM] = {"rotm", .x = BLAS_WRITTEN, .y = BLAS_WRITTEN},
    [BLAS_DOT] = {"dot", .x = BLAS_READ, .y = BLAS_READ, .has_result = true},
    [BLAS_NRM2] = {"nrm2", .x = BLAS_READ, .has_result = true},
    [BLAS_ASUM] = {"asum", .x = BLAS_READ, .has_result = true},
    [BLAS_AMAX] = {"amax", .x = BLAS_READ, .has_result = true},
    [BLAS_AMIN] = {"amin", .x = BLAS_READ, .has_result = true},
    [BLAS_GEMV] = {"gemv", .x = BLAS_READ_SCALED, .y = BLAS_WRITTEN, .a = BLAS_READ_SCALED},
    [BLAS_GER] = {"ger", .x = BLAS_READ, .y = BLAS_READ, .a = BLAS_WRITTEN},
    [BLAS_GEAM] = {"geam", .a = BLAS_READ_SCALED, .b = BLAS_READ_SCALED, .c = BLAS_WRITTEN},
    [BLAS_DGMM] = {"dgmm", .x = BLAS_READ, .a = BLAS_READ, .c = BLAS_WRITTEN},
    [BLAS_TRSM] = {"trsm", .a = BLAS_READ, .c = BLAS_WRITTEN},
    [BLAS_SYRKX] = {"syrk", .a = BLAS_READ_SCALED, .b = BLAS_READ_SCALED, .c = BLAS_WRITTEN},
    [BLAS_SYMM] = {"symm", .a = BLAS_READ_SCALED, .b = BLAS_READ_SCALED, .c = BLAS_WRITTEN},
    [BLAS_STORED_MV] = {"stored_mv", .x = BLAS_READ_SCALED, .y = BLAS_WRITTEN,
                        .a = BLAS_READ_SCALED},
    [BLAS_STORED_TRMV] = {"stored_trmv", .x = BLAS_WRITTEN, .a = BLAS_READ},
    [BLAS_STORED_TRSV] = {"stored_trsv", .x = BLAS_WRITTEN, .a = BLAS_READ},
    [BLAS_PACKED_RANK] = {"packed_rank", .x = BLAS_READ, .y = BLAS_READ, .a = BLAS_WRITTEN},
    [BLAS_TRMM] = {"trmm", .a = BLAS_READ_SCALED, .b = BLAS_READ_SCALED, .c = BLAS_WRITTEN},
};

static bool is_type(uint64_t type)
{
    return type == BLAS_F32 || type == BLAS_F64 || type == BLAS_F16 || type == BLAS_BF16 ||
           blas_is_complex(type);
}

static uint64_t step_size(const struct blas_vector *vector)
{
    return vector->step < 0 ? -(uint64_t)vector->step : (uint64_t)vector->step;
}

/* One repeated element takes no memory, so its count has a limit of its own. */
static bool is_vector(enum blas_use use, const struct blas_vector *vector, uint64_t count)
{
    uint64_t size = step_size(vector);
    return use == BLAS_UNUSED || count == 0 ||
           (size ? size <= BLAS_MOST && count <= BLAS_MOST / size : count <= INT32_MAX);
}

static bool is_matrix(enum blas_use use, const struct blas_matrix *matrix, uint64_t rows,
                      uint64_t columns)
{
    return use == BLAS_UNUSED || rows == 0 || columns == 0 ||
           (matrix->ld >= rows && matrix->ld <= BLAS_MOST && columns <= BLAS_MOST / matrix->ld);
}

/* The matrices and vectors of a batch do not follow each other backwards. */
static bool is_stride(int64_t stride)
{
    return stride >= 0 && (uint64_t)stride <= BLAS_MOST;
}

static bool is_batch(const struct blas_call *call)
{
    return call->batches <= BLAS_MOST_BATCHES && is_stride(call->x.stride) &&
           is_stride(call->y.stride) && is_stride(call->a.stride) && is_stride(call->c.stride) &&
           (call->batches <= 1 || !BLAS_OPERANDS[call->operation].has_result);
}

/* What is symmetric, or a triangle, is square. A packed triangle must fit 63 bits, too. */
static bool is_square(const struct blas_call *call)
{
    bool general = call->operation < BLAS_STORED_MV ||
                   (call->operation == BLAS_STORED_MV && !(call->flags & BLAS_MIRRORED));
    bool packed = call->operation >= BLAS_STORED_MV && call->flags & BLAS_PACKED;
    bool must_be = call->operation == BLAS_SYRKX || packed || !general;
    return (!must_be || call->m == call->n) && (!packed || call->n < BLAS_MOST_PACKED);
}

bool blas_is_sound(const struct blas_call *call)
{
    uint64_t a_rows, a_columns, b_rows, b_columns;
    if (call->operation >= BLAS_OPERATIONS || !is_type(call->type) || !is_type(call->alpha.type) ||
        !is_type(call->beta.type) || call->m > BLAS_MOST || call->n > BLAS_MOST ||
        call->k > BLAS_MOST || call->above > BLAS_MOST || !is_batch(call) || !is_square(call) ||
        (call->operation >= BLAS_GEMV && (call->m == 0 || call->n == 0)))
        return false;
    const struct blas_operands_used *used = &BLAS_OPERANDS[call->operation];
    blas_a_shape(call, &a_rows, &a_columns);
    blas_b_shape(call, &b_rows, &b_columns);
    return is_vector(used->x, &call->x, blas_x_count(call)) &&
           is_vector(used->y, &call->y, blas_y_count(call)) &&
           is_matrix(used->a, &call->a, a_rows, a_columns) &&
           is_matrix(used->b, &call->b, b_rows, b_columns) &&
           is_matrix(used->c, &call->c, call->m, call->n) && (call->result || !used->has_result);
}
