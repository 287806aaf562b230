/* vectors.c - BLAS level 1. A vector without elements is not an error. */
#include "handle.h"

static bool is_type(cudaDataType type)
{
    return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_R_16F || type == CUDA_R_16BF;
}

cublasStatus_t blas_vectors(cublasHandle_t handle, enum blas_operation operation, cudaDataType type,
                            int64_t n, const void *alpha, const void *beta,
                            cudaDataType scalar_type, const void *x, int64_t x_step, const void *y,
                            int64_t y_step)
{
    bool has_alpha = operation == BLAS_SCAL || operation == BLAS_AXPY || operation == BLAS_ROT;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((has_alpha && !alpha) || (operation == BLAS_ROT && !beta))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!is_type(type) || !is_type(scalar_type))
        return blas_unsupported("an operation of cuBLAS on complex numbers or integers");
    if (n <= 0 || (operation == BLAS_SCAL && x_step <= 0))
        return CUBLAS_STATUS_SUCCESS;
    if (!x || (operation != BLAS_SCAL && !y))
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct blas_call call = {.operation = operation,
                                   .type = (uint32_t)type,
                                   .scalar_type = (uint32_t)scalar_type,
                                   .n = (uint64_t)n,
                                   .x = {blas_address(x), x_step},
                                   .y = {blas_address(y), y_step},
                                   .alpha = blas_scalar_of(handle, alpha, scalar_type),
                                   .beta = blas_scalar_of(handle, beta, scalar_type)};
    return blas_submit(handle, &call);
}

cublasStatus_t blas_result(cublasHandle_t handle, enum blas_operation operation, cudaDataType type,
                           int64_t n, const void *x, int64_t x_step, const void *y, int64_t y_step,
                           void *result, bool wide)
{
    bool is_dot = operation == BLAS_DOT;
    bool is_index = operation == BLAS_AMAX || operation == BLAS_AMIN;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_type(type))
        return blas_unsupported("an operation of cuBLAS on complex numbers or integers");
    bool empty = n <= 0 || (!is_dot && x_step <= 0); /* the result is 0 then */
    if (!result || (!empty && (!x || (is_dot && !y))))
        return CUBLAS_STATUS_INVALID_VALUE;
    struct blas_call call = {.operation = operation,
                             .type = (uint32_t)type,
                             .scalar_type = (uint32_t)type,
                             .flags = wide ? BLAS_WIDE_INDEX : 0,
                             .n = empty ? 0 : (uint64_t)n,
                             .x = {blas_address(x), x_step},
                             .y = {blas_address(y), y_step}};
    size_t bytes = is_index ? (wide ? 8 : 4) : blas_type_bytes((uint32_t)type);
    return blas_submit_result(handle, &call, result, bytes);
}
