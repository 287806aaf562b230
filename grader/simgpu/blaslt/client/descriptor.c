/* descriptor.c - cublasLtMatmulDesc_t: what is computed from the matrices. */
#include "blaslt.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct descriptor) <= sizeof(cublasLtMatmulDescOpaque_t), "must fit");

#define IN_DESCRIPTOR(number, field)                                       \
    {                                                                      \
        CUBLASLT_MATMUL_DESC_##number, offsetof(struct descriptor, field), \
            sizeof(((struct descriptor *)0)->field)                        \
    }

static const struct attribute ATTRIBUTES[] = {
    IN_DESCRIPTOR(COMPUTE_TYPE, compute),
    IN_DESCRIPTOR(SCALE_TYPE, scale_type),
    IN_DESCRIPTOR(POINTER_MODE, pointer_mode),
    IN_DESCRIPTOR(TRANSA, transpose_a),
    IN_DESCRIPTOR(TRANSB, transpose_b),
    IN_DESCRIPTOR(TRANSC, transpose_c),
    IN_DESCRIPTOR(FILL_MODE, fill_mode),
    IN_DESCRIPTOR(EPILOGUE, epilogue),
    IN_DESCRIPTOR(BIAS_POINTER, bias),
    IN_DESCRIPTOR(BIAS_BATCH_STRIDE, bias_batch_stride),
    IN_DESCRIPTOR(EPILOGUE_AUX_POINTER, aux),
    IN_DESCRIPTOR(EPILOGUE_AUX_LD, aux_ld),
    IN_DESCRIPTOR(EPILOGUE_AUX_BATCH_STRIDE, aux_batch_stride),
    IN_DESCRIPTOR(ALPHA_VECTOR_BATCH_STRIDE, alpha_batch_stride),
    IN_DESCRIPTOR(SM_COUNT_TARGET, processors_wanted),
    IN_DESCRIPTOR(A_SCALE_POINTER, scale[0]),
    IN_DESCRIPTOR(B_SCALE_POINTER, scale[1]),
    IN_DESCRIPTOR(C_SCALE_POINTER, scale[2]),
    IN_DESCRIPTOR(D_SCALE_POINTER, scale[3]),
    IN_DESCRIPTOR(AMAX_D_POINTER, scale[4]),
    IN_DESCRIPTOR(EPILOGUE_AUX_DATA_TYPE, aux_type),
    IN_DESCRIPTOR(EPILOGUE_AUX_SCALE_POINTER, scale[5]),
    IN_DESCRIPTOR(EPILOGUE_AUX_AMAX_POINTER, scale[6]),
    IN_DESCRIPTOR(FAST_ACCUM, fast_accumulation),
    IN_DESCRIPTOR(BIAS_DATA_TYPE, bias_type),
#if CUBLAS_VER_MAJOR >= 13
    IN_DESCRIPTOR(A_SCALE_MODE, scale_mode[0]),
    IN_DESCRIPTOR(B_SCALE_MODE, scale_mode[1]),
    IN_DESCRIPTOR(C_SCALE_MODE, scale_mode[2]),
    IN_DESCRIPTOR(D_SCALE_MODE, scale_mode[3]),
    IN_DESCRIPTOR(EPILOGUE_AUX_SCALE_MODE, scale_mode[4]),
    IN_DESCRIPTOR(D_OUT_SCALE_POINTER, scale[7]),
    IN_DESCRIPTOR(D_OUT_SCALE_MODE, scale_mode[5]),
    IN_DESCRIPTOR(EMULATION_DESCRIPTOR, scale[8]),
#endif
};
enum { ATTRIBUTE_COUNT = sizeof ATTRIBUTES / sizeof *ATTRIBUTES };

const struct descriptor *descriptor_of(cublasLtMatmulDesc_t handle)
{
    const struct descriptor *descriptor = (const struct descriptor *)handle;
    return descriptor && descriptor->mark == MARK_DESCRIPTOR ? descriptor : NULL;
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t handle, size_t size,
                                               cublasComputeType_t compute,
                                               cudaDataType_t scale_type)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (size < sizeof *handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    struct descriptor descriptor = {.mark = MARK_DESCRIPTOR,
                                    .compute = (int32_t)compute,
                                    .scale_type = (int32_t)scale_type,
                                    .pointer_mode = CUBLASLT_POINTER_MODE_HOST,
                                    .transpose_a = CUBLAS_OP_N,
                                    .transpose_b = CUBLAS_OP_N,
                                    .transpose_c = CUBLAS_OP_N,
                                    .fill_mode = CUBLAS_FILL_MODE_FULL,
                                    .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                                    .bias_type = -1,
                                    .aux_type = -1};
    memcpy(handle, &descriptor, sizeof descriptor);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *handle, cublasComputeType_t compute,
                                        cudaDataType_t scale_type)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    return cublasLtMatmulDescInit_internal(*handle, sizeof **handle, compute, scale_type);
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *from, size_t bytes)
{
    if (!descriptor_of(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_set(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, from, bytes);
}

cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute, void *to,
                                              size_t bytes, size_t *written)
{
    if (!descriptor_of(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_get(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, to, bytes, written);
}
