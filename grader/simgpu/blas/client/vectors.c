/* vectors.c - BLAS level 1. A vector without elements is not an error. */
#include "handle.h"

static bool is_complex(cudaDataType type)
{
    return type == CUDA_C_32F || type == CUDA_C_64F;
}

static bool is_type(cudaDataType type)
{
    return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_R_16F || type == CUDA_R_16BF ||
           is_complex(type);
}

cublasStatus_t blas_vectors(cublasHandle_t handle, enum blas_operation operation, cudaDataType type,
                            int64_t n, const void *alpha, cudaDataType alpha_type, const void *beta,
                            cudaDataType beta_type, const void *x, int64_t x_step, const void *y,
                            int64_t y_step)
{
    bool has_alpha = operation == BLAS_SCAL || operation == BLAS_AXPY || operation == BLAS_ROT;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((has_alpha && !alpha) || (operation == BLAS_ROT && !beta))
        return CUBLAS_STATUS_INVALID_VALUE;
    bool turns_complex = !is_complex(type) && (is_complex(alpha_type) || is_complex(beta_type));
    if (!is_type(type) || !is_type(alpha_type) || !is_type(beta_type) || turns_complex)
        return blas_unsupported("an operation of cuBLAS on these types");
    if (n <= 0 || (operation == BLAS_SCAL && x_step <= 0))
        return CUBLAS_STATUS_SUCCESS;
    if (!x || (operation != BLAS_SCAL && !y))
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct blas_call call = {.operation = operation,
                                   .type = (uint32_t)type,
                                   .n = (uint64_t)n,
                                   .x = {blas_address(x), x_step, 0},
                                   .y = {blas_address(y), y_step, 0},
                                   .alpha = blas_scalar_of(handle, alpha, alpha_type),
                                   .beta = blas_scalar_of(handle, beta, beta_type)};
    return blas_submit(handle, &call);
}

cublasStatus_t blas_result(cublasHandle_t handle, enum blas_operation operation, cudaDataType type,
                           int64_t n, const void *x, int64_t x_step, const void *y, int64_t y_step,
                           void *result, uint32_t flags)
{
    bool is_dot = operation == BLAS_DOT;
    bool is_index = operation == BLAS_AMAX || operation == BLAS_AMIN;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_type(type))
        return blas_unsupported("an operation of cuBLAS on these types");
    bool empty = n <= 0 || (!is_dot && x_step <= 0); /* the result is 0 then */
    if (!result || (!empty && (!x || (is_dot && !y))))
        return CUBLAS_STATUS_INVALID_VALUE;
    struct blas_call call = {.operation = operation,
                             .type = (uint32_t)type,
                             .flags = flags,
                             .n = empty ? 0 : (uint64_t)n,
                             .x = {blas_address(x), x_step, 0},
                             .y = {blas_address(y), y_step, 0}};
    size_t bytes = is_index ? (flags & BLAS_WIDE_INDEX ? 8 : 4) : blas_result_bytes(&call);
    return blas_submit_result(handle, &call, result, bytes);
}
