/* problem.c - from a program's descriptors to what the device is asked. */
#include "blaslt.h"

static cublasStatus_t matrix_of(cublasLtMatrixLayout_t handle, struct matmul_matrix *matrix)
{
    const struct layout *layout = layout_of(handle);
    if (!layout)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (layout->type == CUDA_R_8F_E4M3 || layout->type == CUDA_R_8F_E5M2) {
        simgpu_extension()->explain("cuBLASLt: products of floating-point numbers of 8 bits are "
                                    "not supported by the simulated device");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if ((layout->order != CUBLASLT_ORDER_COL && layout->order != CUBLASLT_ORDER_ROW) ||
        layout->batch_mode != 0 || layout->plane_offset != 0)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    *matrix = (struct matmul_matrix){.rows = layout->rows,
                                     .columns = layout->columns,
                                     .ld = layout->ld,
                                     .batch_stride = layout->batch_stride,
                                     .type = layout->type,
                                     .row_major = layout->order == CUBLASLT_ORDER_ROW};
    return CUBLAS_STATUS_SUCCESS;
}

/* Attributes of which only the defaults are supported. A scale for types that have none is invalid,
 * as the header says. */
static cublasStatus_t check_descriptor(const struct descriptor *descriptor)
{
    for (size_t i = 0; i < sizeof descriptor->scale / sizeof *descriptor->scale; i++)
        if (descriptor->scale[i])
            return CUBLAS_STATUS_INVALID_VALUE;
    if ((descriptor->pointer_mode != CUBLASLT_POINTER_MODE_HOST &&
         descriptor->pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) ||
        descriptor->transpose_c != CUBLAS_OP_N || descriptor->fill_mode != CUBLAS_FILL_MODE_FULL ||
        descriptor->alpha_batch_stride)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t matrices_of(cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                  cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                  struct matmul_problem *problem)
{
    cublasStatus_t status = matrix_of(a, &problem->a);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = matrix_of(b, &problem->b);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = matrix_of(c, &problem->c);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = matrix_of(d, &problem->d);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    int32_t batches = layout_of(d)->batch_count;
    if (batches < 1 || layout_of(a)->batch_count != batches ||
        layout_of(b)->batch_count != batches || layout_of(c)->batch_count != batches)
        return CUBLAS_STATUS_INVALID_VALUE;
    problem->batch_count = (uint32_t)batches;
    return CUBLAS_STATUS_SUCCESS;
}

static enum matmul_transpose transpose_of(int32_t op)
{
    return op == CUBLAS_OP_N   ? MATMUL_AS_IT_IS
           : op == CUBLAS_OP_C ? MATMUL_CONJUGATE
                               : MATMUL_TRANSPOSED;
}

cublasStatus_t problem_of(cublasLtMatmulDesc_t handle, cublasLtMatrixLayout_t a,
                          cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                          cublasLtMatrixLayout_t d, struct matmul_problem *problem)
{
    const struct descriptor *descriptor = descriptor_of(handle);
    *problem = (struct matmul_problem){.batch_count = 1};
    if (!descriptor)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status = matrices_of(a, b, c, d, problem);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check_descriptor(descriptor);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    problem->compute = (uint32_t)descriptor->compute;
    problem->scale_type = (uint32_t)descriptor->scale_type;
    problem->epilogue = descriptor->epilogue;
    problem->transpose_a = transpose_of(descriptor->transpose_a);
    problem->transpose_b = transpose_of(descriptor->transpose_b);
    problem->bias_batch_stride = descriptor->bias_batch_stride;
    problem->aux_ld = descriptor->aux_ld;
    problem->aux_batch_stride = descriptor->aux_batch_stride;
    problem->bias_type =
        descriptor->bias_type < 0 ? problem->d.type : (uint32_t)descriptor->bias_type;
    problem->aux_type = descriptor->aux_type < 0 ? problem->d.type : (uint32_t)descriptor->aux_type;
    return (cublasStatus_t)algo_check_problem(problem);
}
