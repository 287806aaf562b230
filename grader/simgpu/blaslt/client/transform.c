/* transform.c - cublasLtMatrixTransformDesc_t. The descriptors are supported, the transform is not:
 * cublasLtMatrixTransform says so.
 */
#include "blaslt.h"

#include <stdlib.h>
#include <string.h>

struct transform {
    uint32_t mark;
    int32_t scale_type, pointer_mode, transpose_a, transpose_b;
};

_Static_assert(sizeof(struct transform) <= sizeof(cublasLtMatrixTransformDescOpaque_t), "must fit");

#define IN_TRANSFORM(number, field)                                                 \
    {                                                                               \
        CUBLASLT_MATRIX_TRANSFORM_DESC_##number, offsetof(struct transform, field), \
            sizeof(int32_t)                                                         \
    }

static const struct attribute ATTRIBUTES[] = {
    IN_TRANSFORM(SCALE_TYPE, scale_type),
    IN_TRANSFORM(POINTER_MODE, pointer_mode),
    IN_TRANSFORM(TRANSA, transpose_a),
    IN_TRANSFORM(TRANSB, transpose_b),
};
enum { ATTRIBUTE_COUNT = sizeof ATTRIBUTES / sizeof *ATTRIBUTES };

static bool is_transform(cublasLtMatrixTransformDesc_t handle)
{
    return handle && ((const struct transform *)handle)->mark == MARK_TRANSFORM;
}

cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t handle,
                                                        size_t size, cudaDataType scale_type)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (size < sizeof *handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    struct transform transform = {.mark = MARK_TRANSFORM,
                                  .scale_type = (int32_t)scale_type,
                                  .pointer_mode = CUBLASLT_POINTER_MODE_HOST,
                                  .transpose_a = CUBLAS_OP_N,
                                  .transpose_b = CUBLAS_OP_N};
    memcpy(handle, &transform, sizeof transform);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *handle,
                                                 cudaDataType scale_type)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    return cublasLtMatrixTransformDescInit_internal(*handle, sizeof **handle, scale_type);
}

cublasStatus_t cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatrixTransformDescSetAttribute(cublasLtMatrixTransformDesc_t handle,
                                        cublasLtMatrixTransformDescAttributes_t attribute,
                                        const void *from, size_t bytes)
{
    if (!is_transform(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_set(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, from, bytes);
}

cublasStatus_t
cublasLtMatrixTransformDescGetAttribute(cublasLtMatrixTransformDesc_t handle,
                                        cublasLtMatrixTransformDescAttributes_t attribute, void *to,
                                        size_t bytes, size_t *written)
{
    if (!is_transform(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_get(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, to, bytes, written);
}
