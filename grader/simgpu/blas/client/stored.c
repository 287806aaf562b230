/* stored.c - products with vectors, and updates, of matrices of which a band is stored, or a packed
 * triangle. */
#include "handle.h"

/* What is wrong with the matrix itself, if anything. */
static cublasStatus_t check(cublasHandle_t handle, const struct stored *stored)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool fits = stored->packed || (stored->below >= 0 && stored->above >= 0 &&
                                   stored->ld > stored->below + stored->above);
    return stored->m < 0 || stored->n < 0 || !fits || !blas_is_operation(stored->op) ||
                   !(stored->is_general || blas_is_fill(stored->fill))
               ? CUBLAS_STATUS_INVALID_VALUE
               : CUBLAS_STATUS_SUCCESS;
}

static struct blas_call call_of(const struct stored *stored, enum blas_operation operation)
{
    uint64_t n = (uint64_t)stored->n;
    uint64_t ld = stored->packed ? n * (n + 1) / 2 : (uint64_t)stored->ld;
    bool upper = stored->fill == CUBLAS_FILL_MODE_UPPER;
    return (struct blas_call){
        .operation = operation,
        .type = (uint32_t)stored->type,
        .flags = stored->flags | (stored->packed ? (uint32_t)BLAS_PACKED : 0) |
                 (upper && !stored->is_general ? (uint32_t)BLAS_UPPER : 0) |
                 blas_operation_flags(stored->op, BLAS_TRANSPOSE_A, BLAS_CONJUGATE_A),
        .m = (uint64_t)stored->m,
        .n = n,
        .k = (uint64_t)stored->below,
        .above = (uint64_t)stored->above,
        .a = {blas_address(stored->a), ld, 0}};
}

cublasStatus_t blas_stored_mv(cublasHandle_t handle, const struct stored *stored, const void *alpha,
                              const void *x, int64_t x_step, const void *beta, void *y,
                              int64_t y_step)
{
    cublasStatus_t status = check(handle, stored);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (x_step == 0 || y_step == 0 || !alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (stored->m == 0 || stored->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = call_of(stored, BLAS_STORED_MV);
    call.alpha = blas_scalar_of(handle, alpha, stored->type);
    call.beta = blas_scalar_of(handle, beta, stored->type);
    call.x = (struct blas_vector){blas_address(x), x_step, 0};
    call.y = (struct blas_vector){blas_address(y), y_step, 0};
    return blas_submit(handle, &call);
}

cublasStatus_t blas_stored_triangle(cublasHandle_t handle, const struct stored *stored, bool solve,
                                    cublasDiagType_t diagonal, void *x, int64_t x_step)
{
    cublasStatus_t status = check(handle, stored);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (x_step == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (stored->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_call call = call_of(stored, solve ? BLAS_STORED_TRSV : BLAS_STORED_TRMV);
    call.flags |= diagonal == CUBLAS_DIAG_UNIT ? (uint32_t)BLAS_UNIT : 0;
    call.x = (struct blas_vector){blas_address(x), x_step, 0};
    return blas_submit(handle, &call);
}

/* With y, two steps: alpha x y', and alpha y x' with alpha conjugated if A is Hermitian. */
cublasStatus_t blas_packed_rank(cublasHandle_t handle, const struct stored *stored,
                                const void *alpha, cudaDataType alpha_type, const void *x,
                                int64_t x_step, const void *y, int64_t y_step)
{
    cublasStatus_t status = check(handle, stored);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (x_step == 0 || y_step == 0 || !alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (stored->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    bool hermitian = stored->flags & BLAS_HERMITIAN;
    struct blas_call call = call_of(stored, BLAS_PACKED_RANK);
    call.alpha = blas_scalar_of(handle, alpha, alpha_type);
    call.flags |= hermitian ? BLAS_CONJUGATE_Y : 0;
    call.x = (struct blas_vector){blas_address(x), x_step, 0};
    call.y = y ? (struct blas_vector){blas_address(y), y_step, 0} : call.x;
    status = blas_submit(handle, &call);
    if (!y || status != CUBLAS_STATUS_SUCCESS)
        return status;
    struct blas_vector first = call.x;
    call.x = call.y;
    call.y = first;
    call.flags |= hermitian ? BLAS_CONJUGATE_ALPHA : 0;
    return blas_submit(handle, &call);
}
