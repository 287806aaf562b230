/* matrices.c - BLAS levels 2 and 3 except products: sizes are checked as the documentation of each
 * function says; a matrix without elements is not an error. Only gemv accepts a step of 0 for x, as
 * cuBLAS 13.0 does on an H200: every element is then the first one. */
#include "handle.h"

static struct blas_call call_for(cublasHandle_t handle, enum blas_operation operation,
                                 cudaDataType type, int64_t m, int64_t n, const void *alpha)
{
    return (struct blas_call){.operation = operation,
                              .type = (uint32_t)type,
                              .m = (uint64_t)m,
                              .n = (uint64_t)n,
                              .alpha = blas_scalar_of(handle, alpha, type)};
}

cublasStatus_t blas_gemv(cublasHandle_t handle, const struct gemv *gemv)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!blas_is_operation(gemv->op) || gemv->m < 0 || gemv->n < 0 ||
        !blas_is_leading(gemv->lda, gemv->m) || gemv->y_step == 0 || !gemv->alpha || !gemv->beta ||
        gemv->count < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (gemv->m == 0 || gemv->n == 0 || gemv->count == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = {.operation = BLAS_GEMV,
                             .type = (uint32_t)gemv->type,
                             .flags =
                                 blas_operation_flags(gemv->op, BLAS_TRANSPOSE_A, BLAS_CONJUGATE_A),
                             .m = (uint64_t)gemv->m,
                             .n = (uint64_t)gemv->n,
                             .alpha = blas_scalar_of(handle, gemv->alpha, gemv->scalar_type),
                             .beta = blas_scalar_of(handle, gemv->beta, gemv->scalar_type),
                             .a = {blas_address(gemv->a), (uint64_t)gemv->lda, gemv->a_stride},
                             .x = {blas_address(gemv->x), gemv->x_step, gemv->x_stride},
                             .y = {blas_address(gemv->y), gemv->y_step, gemv->y_stride}};
    return blas_submit_batch(handle, &call, gemv->count, gemv->pointers);
}

cublasStatus_t blas_ger(cublasHandle_t handle, cudaDataType type, uint32_t flags, int64_t m,
                        int64_t n, const void *alpha, const void *x, int64_t x_step, const void *y,
                        int64_t y_step, void *a, int64_t lda)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || !blas_is_leading(lda, m) || x_step == 0 || y_step == 0 || !alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = call_for(handle, BLAS_GER, type, m, n, alpha);
    call.flags = flags;
    call.a = (struct blas_matrix){blas_address(a), (uint64_t)lda, 0};
    call.x = (struct blas_vector){blas_address(x), x_step, 0};
    call.y = (struct blas_vector){blas_address(y), y_step, 0};
    return blas_submit(handle, &call);
}

/* C may be the same matrix as A or B if that one is not transposed and has C's leading
 * dimension. */
static bool may_overlay(const void *c, int64_t ldc, const void *a, int64_t lda,
                        cublasOperation_t op)
{
    return c != a || (lda == ldc && op == CUBLAS_OP_N);
}

cublasStatus_t blas_geam(cublasHandle_t handle, cudaDataType type, cublasOperation_t op_a,
                         cublasOperation_t op_b, int64_t m, int64_t n, const void *alpha,
                         const void *a, int64_t lda, const void *beta, const void *b, int64_t ldb,
                         void *c, int64_t ldc)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!blas_is_operation(op_a) || !blas_is_operation(op_b) || m < 0 || n < 0 || !alpha || !beta ||
        !blas_is_leading(lda, op_a == CUBLAS_OP_N ? m : n) ||
        !blas_is_leading(ldb, op_b == CUBLAS_OP_N ? m : n) || !blas_is_leading(ldc, m) ||
        !may_overlay(c, ldc, a, lda, op_a) || !may_overlay(c, ldc, b, ldb, op_b))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = call_for(handle, BLAS_GEAM, type, m, n, alpha);
    call.beta = blas_scalar_of(handle, beta, type);
    call.flags = blas_operation_flags(op_a, BLAS_TRANSPOSE_A, BLAS_CONJUGATE_A) |
                 blas_operation_flags(op_b, BLAS_TRANSPOSE_B, BLAS_CONJUGATE_B);
    call.a = (struct blas_matrix){blas_address(a), (uint64_t)lda, 0};
    call.b = (struct blas_matrix){blas_address(b), (uint64_t)ldb, 0};
    call.c = (struct blas_matrix){blas_address(c), (uint64_t)ldc, 0};
    return blas_submit(handle, &call);
}

cublasStatus_t blas_dgmm(cublasHandle_t handle, cudaDataType type, cublasSideMode_t side, int64_t m,
                         int64_t n, const void *a, int64_t lda, const void *x, int64_t x_step,
                         void *c, int64_t ldc)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((side != CUBLAS_SIDE_LEFT && side != CUBLAS_SIDE_RIGHT) || m < 0 || n < 0 ||
        !blas_is_leading(lda, m) || !blas_is_leading(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = call_for(handle, BLAS_DGMM, type, m, n, NULL);
    call.flags = side == CUBLAS_SIDE_LEFT ? BLAS_LEFT : 0;
    call.a = (struct blas_matrix){blas_address(a), (uint64_t)lda, 0};
    call.c = (struct blas_matrix){blas_address(c), (uint64_t)ldc, 0};
    call.x = (struct blas_vector){blas_address(x), x_step, 0};
    return blas_submit(handle, &call);
}

cublasStatus_t blas_trsm(cublasHandle_t handle, cudaDataType type, cublasSideMode_t side,
                         cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                         int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda,
                         const void *b, int64_t ldb, int64_t count)
{
    bool left = side == CUBLAS_SIDE_LEFT;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((!left && side != CUBLAS_SIDE_RIGHT) ||
        (!blas_is_operation(op) && op != CUBLAS_OP_CONJG /* trsv's */) || m < 0 || n < 0 ||
        !alpha || (fill != CUBLAS_FILL_MODE_LOWER && fill != CUBLAS_FILL_MODE_UPPER) ||
        !blas_is_leading(lda, left ? m : n) || !blas_is_leading(ldb, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = call_for(handle, BLAS_TRSM, type, m, n, alpha);
    call.flags = (left ? (uint32_t)BLAS_LEFT : 0) |
                 blas_operation_flags(op, BLAS_TRANSPOSE_A, BLAS_CONJUGATE_A) |
                 (fill == CUBLAS_FILL_MODE_UPPER ? (uint32_t)BLAS_UPPER : 0) |
                 (diagonal == CUBLAS_DIAG_UNIT ? (uint32_t)BLAS_UNIT : 0);
    call.a = (struct blas_matrix){blas_address(a), (uint64_t)lda, 0};
    call.c = (struct blas_matrix){blas_address(b), (uint64_t)ldb, 0};
    return count ? blas_submit_batch(handle, &call, count, true) : blas_submit(handle, &call);
}
