/* layout.c - cublasLtMatrixLayout_t: type, sizes, and how a matrix lies in memory. */
#include "blaslt.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "must fit");

#define IN_LAYOUT(number, field)                                         \
    {                                                                    \
        CUBLASLT_MATRIX_LAYOUT_##number, offsetof(struct layout, field), \
            sizeof(((struct layout *)0)->field)                          \
    }

static const struct attribute ATTRIBUTES[] = {
    IN_LAYOUT(TYPE, type),
    IN_LAYOUT(ORDER, order),
    IN_LAYOUT(ROWS, rows),
    IN_LAYOUT(COLS, columns),
    IN_LAYOUT(LD, ld),
    IN_LAYOUT(BATCH_COUNT, batch_count),
    IN_LAYOUT(STRIDED_BATCH_OFFSET, batch_stride),
    IN_LAYOUT(PLANE_OFFSET, plane_offset),
#if CUBLAS_VER_MAJOR >= 13
    IN_LAYOUT(BATCH_MODE, batch_mode),
#endif
};
enum { ATTRIBUTE_COUNT = sizeof ATTRIBUTES / sizeof *ATTRIBUTES };

const struct layout *layout_of(cublasLtMatrixLayout_t handle)
{
    const struct layout *layout = (const struct layout *)handle;
    return layout && layout->mark == MARK_LAYOUT ? layout : NULL;
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t handle, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (size < sizeof *handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    struct layout layout = {.mark = MARK_LAYOUT,
                            .type = (uint32_t)type,
                            .rows = rows,
                            .columns = cols,
                            .ld = ld,
                            .order = CUBLASLT_ORDER_COL,
                            .batch_count = 1};
    memcpy(handle, &layout, sizeof layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *handle, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    return cublasLtMatrixLayoutInit_internal(*handle, sizeof **handle, type, rows, cols, ld);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *from, size_t bytes)
{
    if (!layout_of(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_set(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, from, bytes);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t attribute, void *to,
                                                size_t bytes, size_t *written)
{
    if (!layout_of(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_get(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, to, bytes, written);
}
