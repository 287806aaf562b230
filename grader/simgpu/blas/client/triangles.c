/* triangles.c - products with a symmetric or triangular matrix. Those with vectors are the same
 * products with one row: a vector with a step is a row of a matrix with that leading dimension. */
#include "handle.h"

#include <stdio.h>

static struct blas_matrix matrix_of(const void *at, int64_t ld)
{
    return (struct blas_matrix){blas_address(at), (uint64_t)ld, 0};
}

static uint32_t flags_of(bool left, cublasFillMode_t fill, cublasOperation_t op)
{
    return (left ? (uint32_t)BLAS_LEFT : 0) |
           (fill == CUBLAS_FILL_MODE_UPPER ? (uint32_t)BLAS_UPPER : 0) |
           blas_operation_flags(op, BLAS_TRANSPOSE_A, BLAS_CONJUGATE_A);
}

/* Which factor is conjugated: the second, op(B)', unless that one is B itself. */
static uint32_t rank_flags(const struct rank_k *rank)
{
    uint32_t flags =
        flags_of(false, rank->fill, rank->op == CUBLAS_OP_N ? CUBLAS_OP_N : CUBLAS_OP_T);
    if (rank->hermitian)
        flags |= BLAS_HERMITIAN |
                 (uint32_t)(rank->op == CUBLAS_OP_C ? BLAS_CONJUGATE_A : BLAS_CONJUGATE_B);
    return flags;
}

static cublasStatus_t run_rank_k(cublasHandle_t handle, const struct rank_k *rank, uint32_t flags)
{
    struct blas_call call = {.operation = BLAS_SYRKX,
                             .type = (uint32_t)rank->type,
                             .flags = flags | rank_flags(rank),
                             .m = (uint64_t)rank->n,
                             .n = (uint64_t)rank->n,
                             .k = (uint64_t)rank->k,
                             .a = matrix_of(rank->a, rank->lda),
                             .b = matrix_of(rank->b, rank->ldb),
                             .c = matrix_of(rank->c, rank->ldc),
                             .alpha = blas_scalar_of(handle, rank->alpha, rank->alpha_type),
                             .beta = {.value = 1}};
    if (rank->beta)
        call.beta = blas_scalar_of(handle, rank->beta, rank->beta_type);
    return blas_submit(handle, &call);
}

/* C = alpha A B' + alpha B A' + beta C, in two steps. */
static cublasStatus_t run_rank_2k(cublasHandle_t handle, const struct rank_k *rank)
{
    struct rank_k turned = *rank;
    turned.a = rank->b, turned.lda = rank->ldb;
    turned.b = rank->a, turned.ldb = rank->lda;
    turned.beta = NULL;
    cublasStatus_t status = run_rank_k(handle, rank, 0);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : run_rank_k(handle, &turned, rank->hermitian ? BLAS_CONJUGATE_ALPHA : 0);
}

static cublasStatus_t check_rank(cublasHandle_t handle, const struct rank_k *rank)
{
    int64_t rows = rank->op == CUBLAS_OP_N ? rank->n : rank->k;
    bool real = rank->type == CUDA_R_32F || rank->type == CUDA_R_64F;
    bool is_turned = rank->op == (rank->hermitian ? CUBLAS_OP_C : CUBLAS_OP_T);
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!blas_is_fill(rank->fill) ||
        !(rank->op == CUBLAS_OP_N || is_turned || (real && blas_is_operation(rank->op))) ||
        rank->n < 0 || rank->k < 0 || !rank->alpha || !rank->beta ||
        !blas_is_leading(rank->lda, rows) || !blas_is_leading(rank->ldb, rows) ||
        !blas_is_leading(rank->ldc, rank->n))
        return CUBLAS_STATUS_INVALID_VALUE;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_rank_k(cublasHandle_t handle, const struct rank_k *rank)
{
    cublasStatus_t status = check_rank(handle, rank);
    return status != CUBLAS_STATUS_SUCCESS || rank->n == 0 ? status : run_rank_k(handle, rank, 0);
}

cublasStatus_t blas_rank_2k(cublasHandle_t handle, const struct rank_k *rank)
{
    cublasStatus_t status = check_rank(handle, rank);
    return status != CUBLAS_STATUS_SUCCESS || rank->n == 0 ? status : run_rank_2k(handle, rank);
}

cublasStatus_t blas_symm(cublasHandle_t handle, cudaDataType type, uint32_t flags,
                         cublasSideMode_t side, cublasFillMode_t fill, int64_t m, int64_t n,
                         const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                         const void *beta, void *c, int64_t ldc)
{
    bool left = side == CUBLAS_SIDE_LEFT;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((!left && side != CUBLAS_SIDE_RIGHT) || !blas_is_fill(fill) || m < 0 || n < 0 || !alpha ||
        !beta || !blas_is_leading(lda, left ? m : n) || !blas_is_leading(ldb, m) ||
        !blas_is_leading(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    return blas_submit(handle,
                       &(struct blas_call){.operation = BLAS_SYMM,
                                           .type = (uint32_t)type,
                                           .flags = flags | flags_of(left, fill, CUBLAS_OP_N),
                                           .m = (uint64_t)m,
                                           .n = (uint64_t)n,
                                           .a = matrix_of(a, lda),
                                           .b = matrix_of(b, ldb),
                                           .c = matrix_of(c, ldc),
                                           .alpha = blas_scalar_of(handle, alpha, type),
                                           .beta = blas_scalar_of(handle, beta, type)});
}

cublasStatus_t blas_trmm(cublasHandle_t handle, cudaDataType type, cublasSideMode_t side,
                         cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                         int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda,
                         const void *b, int64_t ldb, void *c, int64_t ldc)
{
    bool left = side == CUBLAS_SIDE_LEFT;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((!left && side != CUBLAS_SIDE_RIGHT) || !blas_is_fill(fill) ||
        (!blas_is_operation(op) && op != CUBLAS_OP_CONJG /* trmv's */) || m < 0 || n < 0 ||
        !alpha || !blas_is_leading(lda, left ? m : n) || !blas_is_leading(ldb, m) ||
        !blas_is_leading(ldc, m) || (b == c && ldb != ldc))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = {.operation = BLAS_TRMM,
                             .type = (uint32_t)type,
                             .flags = flags_of(left, fill, op),
                             .m = (uint64_t)m,
                             .n = (uint64_t)n,
                             .a = matrix_of(a, lda),
                             .b = matrix_of(b, ldb),
                             .c = matrix_of(c, ldc),
                             .alpha = blas_scalar_of(handle, alpha, type)};
    if (diagonal == CUBLAS_DIAG_UNIT)
        call.flags |= BLAS_UNIT;
    return blas_submit(handle, &call);
}

/* --- With vectors ----------------------------------------------------------------------------- */

/* A row is read from its first element on, so a step is positive. */
static cublasStatus_t check_steps(const char *function, int64_t x_step, int64_t y_step)
{
    if (x_step == 0 || y_step == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    char what[80];
    snprintf(what, sizeof what, "cuBLAS's %s with a negative step", function);
    return x_step < 0 || y_step < 0 ? blas_unsupported(what) : CUBLAS_STATUS_SUCCESS;
}

/* As y is a row here, y' = x' A': of a Hermitian matrix the transpose is the conjugate. */
cublasStatus_t blas_symv(cublasHandle_t handle, cudaDataType type, uint32_t flags,
                         cublasFillMode_t fill, int64_t n, const void *alpha, const void *a,
                         int64_t lda, const void *x, int64_t x_step, const void *beta, void *y,
                         int64_t y_step)
{
    cublasStatus_t status = check_steps("symv", x_step, y_step);
    uint32_t conjugate = flags & BLAS_HERMITIAN ? BLAS_CONJUGATE_A : 0;
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : blas_symm(handle, type, flags | conjugate, CUBLAS_SIDE_RIGHT, fill, 1, n, alpha, a,
                           lda, x, x_step, beta, y, y_step);
}

cublasStatus_t blas_syr(cublasHandle_t handle, cudaDataType type, cudaDataType alpha_type,
                        uint32_t flags, cublasFillMode_t fill, int64_t n, const void *alpha,
                        const void *x, int64_t x_step, const void *y, int64_t y_step, void *a,
                        int64_t lda)
{
    cublasStatus_t status = check_steps(y ? "syr2" : "syr", x_step, y_step);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!blas_is_fill(fill) || n < 0 || !alpha || !blas_is_leading(lda, n))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    const struct rank_k rank = {.type = type,
                                .alpha_type = alpha_type,
                                .hermitian = flags & BLAS_HERMITIAN,
                                .fill = fill,
                                .op = CUBLAS_OP_T,
                                .n = n,
                                .k = 1,
                                .alpha = alpha,
                                .a = x,
                                .lda = x_step,
                                .b = y ? y : x,
                                .ldb = y ? y_step : x_step,
                                .c = a,
                                .ldc = lda};
    return y ? run_rank_2k(handle, &rank) : run_rank_k(handle, &rank, 0);
}

static cublasOperation_t turned(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : op == CUBLAS_OP_C ? CUBLAS_OP_CONJG : CUBLAS_OP_N;
}

/* x = op(A) x, or x = inv(op(A)) x: as x is a row here, the transposed system from the right. */
cublasStatus_t blas_trv(cublasHandle_t handle, cudaDataType type, bool solve, cublasFillMode_t fill,
                        cublasOperation_t op, cublasDiagType_t diagonal, int64_t n, const void *a,
                        int64_t lda, void *x, int64_t x_step)
{
    static const double ONE[2] = {1, 0};
    static const float SHORT_ONE[2] = {1, 0};
    bool wide = type == CUDA_R_64F || type == CUDA_C_64F;
    const void *one = wide ? (const void *)ONE : SHORT_ONE;
    cublasStatus_t status = check_steps(solve ? "trsv" : "trmv", x_step, x_step);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!blas_is_operation(op))
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasPointerMode_t mode = handle->pointer_mode;
    handle->pointer_mode = CUBLAS_POINTER_MODE_HOST; /* the factor is ours */
    status = solve ? blas_trsm(handle, type, CUBLAS_SIDE_RIGHT, fill, turned(op), diagonal, 1, n,
                               one, a, lda, x, x_step, 0)
                   : blas_trmm(handle, type, CUBLAS_SIDE_RIGHT, fill, turned(op), diagonal, 1, n,
                               one, a, lda, x, x_step, x, x_step);
    handle->pointer_mode = mode;
    return status;
}
