/* triangles.c - products with a symmetric or triangular matrix. Those with vectors are the same
 * products with one row: a vector with a step is a row of a matrix with that leading dimension. */
#include "handle.h"

#include <stdio.h>

static bool is_fill(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}

static bool is_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

static bool is_leading(int64_t ld, int64_t rows)
{
    return ld >= (rows < 1 ? 1 : rows);
}

static struct blas_matrix matrix_of(const void *at, int64_t ld)
{
    return (struct blas_matrix){blas_address(at), (uint64_t)ld};
}

static uint32_t flags_of(bool left, cublasFillMode_t fill, cublasOperation_t op)
{
    return (left ? (uint32_t)BLAS_LEFT : 0) |
           (fill == CUBLAS_FILL_MODE_UPPER ? (uint32_t)BLAS_UPPER : 0) |
           (op == CUBLAS_OP_N ? 0 : (uint32_t)BLAS_TRANSPOSE_A);
}

cublasStatus_t blas_syrkx(cublasHandle_t handle, cudaDataType type, cublasFillMode_t fill,
                          cublasOperation_t op, int64_t n, int64_t k, const void *alpha,
                          const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta,
                          void *c, int64_t ldc)
{
    int64_t rows = op == CUBLAS_OP_N ? n : k;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_fill(fill) || !is_operation(op) || n < 0 || k < 0 || !alpha || !beta ||
        !is_leading(lda, rows) || !is_leading(ldb, rows) || !is_leading(ldc, n))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    return blas_submit(handle, &(struct blas_call){.operation = BLAS_SYRKX,
                                                   .type = (uint32_t)type,
                                                   .scalar_type = (uint32_t)type,
                                                   .flags = flags_of(false, fill, op),
                                                   .m = (uint64_t)n,
                                                   .n = (uint64_t)n,
                                                   .k = (uint64_t)k,
                                                   .a = matrix_of(a, lda),
                                                   .b = matrix_of(b, ldb),
                                                   .c = matrix_of(c, ldc),
                                                   .alpha = blas_scalar_of(handle, alpha, type),
                                                   .beta = blas_scalar_of(handle, beta, type)});
}

/* C = alpha A B' + alpha B A' + beta C, in two steps. */
cublasStatus_t blas_syr2k(cublasHandle_t handle, cudaDataType type, cublasFillMode_t fill,
                          cublasOperation_t op, int64_t n, int64_t k, const void *alpha,
                          const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta,
                          void *c, int64_t ldc)
{
    static const double ONE = 1;
    static const float SHORT_ONE = 1;
    cublasStatus_t status =
        blas_syrkx(handle, type, fill, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    if (status != CUBLAS_STATUS_SUCCESS || n == 0)
        return status;
    struct blas_call call = {.operation = BLAS_SYRKX,
                             .type = (uint32_t)type,
                             .scalar_type = (uint32_t)type,
                             .flags = flags_of(false, fill, op),
                             .m = (uint64_t)n,
                             .n = (uint64_t)n,
                             .k = (uint64_t)k,
                             .a = matrix_of(b, ldb),
                             .b = matrix_of(a, lda),
                             .c = matrix_of(c, ldc),
                             .alpha = blas_scalar_of(handle, alpha, type)};
    call.beta.value = blas_value(type == CUDA_R_64F ? (const void *)&ONE : &SHORT_ONE, type);
    return blas_submit(handle, &call);
}

cublasStatus_t blas_symm(cublasHandle_t handle, cudaDataType type, cublasSideMode_t side,
                         cublasFillMode_t fill, int64_t m, int64_t n, const void *alpha,
                         const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta,
                         void *c, int64_t ldc)
{
    bool left = side == CUBLAS_SIDE_LEFT;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((!left && side != CUBLAS_SIDE_RIGHT) || !is_fill(fill) || m < 0 || n < 0 || !alpha ||
        !beta || !is_leading(lda, left ? m : n) || !is_leading(ldb, m) || !is_leading(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    return blas_submit(handle, &(struct blas_call){.operation = BLAS_SYMM,
                                                   .type = (uint32_t)type,
                                                   .scalar_type = (uint32_t)type,
                                                   .flags = flags_of(left, fill, CUBLAS_OP_N),
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
    if ((!left && side != CUBLAS_SIDE_RIGHT) || !is_fill(fill) || !is_operation(op) || m < 0 ||
        n < 0 || !alpha || !is_leading(lda, left ? m : n) || !is_leading(ldb, m) ||
        !is_leading(ldc, m) || (b == c && ldb != ldc))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = {.operation = BLAS_TRMM,
                             .type = (uint32_t)type,
                             .scalar_type = (uint32_t)type,
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

cublasStatus_t blas_symv(cublasHandle_t handle, cudaDataType type, cublasFillMode_t fill, int64_t n,
                         const void *alpha, const void *a, int64_t lda, const void *x,
                         int64_t x_step, const void *beta, void *y, int64_t y_step)
{
    cublasStatus_t status = check_steps("symv", x_step, y_step);
    return status != CUBLAS_STATUS_SUCCESS ? status
                                           : blas_symm(handle, type, CUBLAS_SIDE_RIGHT, fill, 1, n,
                                                       alpha, a, lda, x, x_step, beta, y, y_step);
}

/* A = alpha x x' + A, or alpha (x y' + y x') + A with y. */
cublasStatus_t blas_syr(cublasHandle_t handle, cudaDataType type, cublasFillMode_t fill, int64_t n,
                        const void *alpha, const void *x, int64_t x_step, const void *y,
                        int64_t y_step, void *a, int64_t lda)
{
    static const double ONE = 1;
    static const float SHORT_ONE = 1;
    const void *one = type == CUDA_R_64F ? (const void *)&ONE : &SHORT_ONE;
    cublasStatus_t status = check_steps(y ? "syr2" : "syr", x_step, y_step);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (blas_handle_is_sound(handle) && handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return blas_unsupported("cuBLAS's syr with a factor on the device");
    return y ? blas_syr2k(handle, type, fill, CUBLAS_OP_T, n, 1, alpha, x, x_step, y, y_step, one,
                          a, lda)
             : blas_syrkx(handle, type, fill, CUBLAS_OP_T, n, 1, alpha, x, x_step, x, x_step, one,
                          a, lda);
}

static cublasOperation_t turned(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/* x = op(A) x, or x = inv(op(A)) x: as x is a row here, the transposed system from the right. */
cublasStatus_t blas_trv(cublasHandle_t handle, cudaDataType type, bool solve, cublasFillMode_t fill,
                        cublasOperation_t op, cublasDiagType_t diagonal, int64_t n, const void *a,
                        int64_t lda, void *x, int64_t x_step)
{
    static const double ONE = 1;
    static const float SHORT_ONE = 1;
    const void *one = type == CUDA_R_64F ? (const void *)&ONE : &SHORT_ONE;
    cublasStatus_t status = check_steps(solve ? "trsv" : "trmv", x_step, x_step);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasPointerMode_t mode = handle->pointer_mode;
    handle->pointer_mode = CUBLAS_POINTER_MODE_HOST; /* the factor is ours */
    status = solve ? blas_trsm(handle, type, CUBLAS_SIDE_RIGHT, fill, turned(op), diagonal, 1, n,
                               one, a, lda, x, x_step)
                   : blas_trmm(handle, type, CUBLAS_SIDE_RIGHT, fill, turned(op), diagonal, 1, n,
                               one, a, lda, x, x_step, x, x_step);
    handle->pointer_mode = mode;
    return status;
}
