/* descriptors.c - what a program tells of its arrays; nothing here touches them. */
#include "sparse.h"

#include <stdlib.h>

/* Made from what follows; the `Const` kinds differ in the program's types only. */
#define MAKE(to, ...)                                  \
    do {                                               \
        if (!(to))                                     \
            return CUSPARSE_STATUS_INVALID_VALUE;      \
        __typeof__(**(to)) made = {__VA_ARGS__};       \
        __typeof__(made) *copy = malloc(sizeof *copy); \
        if (!copy)                                     \
            return CUSPARSE_STATUS_ALLOC_FAILED;       \
        *copy = made;                                  \
        *(to) = copy;                                  \
        return CUSPARSE_STATUS_SUCCESS;                \
    } while (0)

#define DESTROY(name, type)                \
    cusparseStatus_t name(type descriptor) \
    {                                      \
        free((void *)descriptor);          \
        return CUSPARSE_STATUS_SUCCESS;    \
    }

#define PUT(to, value)       \
    do {                     \
        if (to)              \
            *(to) = (value); \
    } while (0)

/* The address of the values, to read and to change: VALUES(DnVec) and the like. */
#define VALUES(Kind)                                                                              \
    cusparseStatus_t cusparse##Kind##GetValues(cusparse##Kind##Descr_t descriptor, void **values) \
    {                                                                                             \
        if (!descriptor || !values)                                                               \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                 \
        *values = descriptor->values;                                                             \
        return CUSPARSE_STATUS_SUCCESS;                                                           \
    }                                                                                             \
    cusparseStatus_t cusparseConst##Kind##GetValues(cusparseConst##Kind##Descr_t descriptor,      \
                                                    const void **values)                          \
    {                                                                                             \
        if (!descriptor || !values)                                                               \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                 \
        *values = descriptor->values;                                                             \
        return CUSPARSE_STATUS_SUCCESS;                                                           \
    }                                                                                             \
    cusparseStatus_t cusparse##Kind##SetValues(cusparse##Kind##Descr_t descriptor, void *values)  \
    {                                                                                             \
        if (!descriptor)                                                                          \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                 \
        descriptor->values = values;                                                              \
        return CUSPARSE_STATUS_SUCCESS;                                                           \
    }

VALUES(DnVec)
VALUES(DnMat)
VALUES(SpVec)
VALUES(SpMat)

/* --- Matrices of the older functions ---------------------------------------------------------- */

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor)
{
    MAKE(descriptor, CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_FILL_MODE_LOWER,
         CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_INDEX_BASE_ZERO);
}

DESTROY(cusparseDestroyMatDescr, cusparseMatDescr_t)

#define PROPERTY(Name, type, field)                                                  \
    cusparseStatus_t cusparseSetMat##Name(cusparseMatDescr_t descriptor, type value) \
    {                                                                                \
        if (!descriptor)                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                    \
        descriptor->field = value;                                                   \
        return CUSPARSE_STATUS_SUCCESS;                                              \
    }                                                                                \
    type cusparseGetMat##Name(const cusparseMatDescr_t descriptor)                   \
    {                                                                                \
        return descriptor->field;                                                    \
    }

PROPERTY(Type, cusparseMatrixType_t, type)
PROPERTY(FillMode, cusparseFillMode_t, fill)
PROPERTY(DiagType, cusparseDiagType_t, diagonal)
PROPERTY(IndexBase, cusparseIndexBase_t, base)

/* --- Vectors ---------------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *descriptor, int64_t size, void *values,
                                     cudaDataType type)
{
    MAKE(descriptor, size, values, type);
}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *descriptor, int64_t size,
                                          const void *values, cudaDataType type)
{
    return cusparseCreateDnVec((cusparseDnVecDescr_t *)descriptor, size, (void *)values, type);
}

DESTROY(cusparseDestroyDnVec, cusparseConstDnVecDescr_t)

cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t descriptor, int64_t *size,
                                       const void **values, cudaDataType *type)
{
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    PUT(size, descriptor->size);
    PUT(values, descriptor->values);
    PUT(type, descriptor->type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t descriptor, int64_t *size, void **values,
                                  cudaDataType *type)
{
    return cusparseConstDnVecGet(descriptor, size, (const void **)values, type);
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *descriptor, int64_t size, int64_t count,
                                     void *indices, void *values, cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base, cudaDataType type)
{
    MAKE(descriptor, size, count, indices, values, index_type, base, type);
}

cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *descriptor, int64_t size,
                                          int64_t count, const void *indices, const void *values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType type)
{
    return cusparseCreateSpVec((cusparseSpVecDescr_t *)descriptor, size, count, (void *)indices,
                               (void *)values, index_type, base, type);
}

DESTROY(cusparseDestroySpVec, cusparseConstSpVecDescr_t)

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descriptor,
                                           cusparseIndexBase_t *base)
{
    if (!descriptor || !base)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *base = descriptor->base;
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- Dense matrices --------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *descriptor, int64_t rows,
                                     int64_t columns, int64_t leading, void *values,
                                     cudaDataType type, cusparseOrder_t order)
{
    if (leading < (order == CUSPARSE_ORDER_COL ? rows : columns))
        return CUSPARSE_STATUS_INVALID_VALUE;
    MAKE(descriptor, rows, columns, leading, values, type, order, 1, 0);
}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *descriptor, int64_t rows,
                                          int64_t columns, int64_t leading, const void *values,
                                          cudaDataType type, cusparseOrder_t order)
{
    return cusparseCreateDnMat((cusparseDnMatDescr_t *)descriptor, rows, columns, leading,
                               (void *)values, type, order);
}

DESTROY(cusparseDestroyDnMat, cusparseConstDnMatDescr_t)

cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t descriptor, int64_t *rows,
                                       int64_t *columns, int64_t *leading, const void **values,
                                       cudaDataType *type, cusparseOrder_t *order)
{
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    PUT(rows, descriptor->rows);
    PUT(columns, descriptor->columns);
    PUT(leading, descriptor->leading);
    PUT(values, descriptor->values);
    PUT(type, descriptor->type);
    PUT(order, descriptor->order);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t descriptor, int64_t *rows, int64_t *columns,
                                  int64_t *leading, void **values, cudaDataType *type,
                                  cusparseOrder_t *order)
{
    return cusparseConstDnMatGet(descriptor, rows, columns, leading, (const void **)values, type,
                                 order);
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descriptor, int batches,
                                              int64_t stride)
{
    if (!descriptor || batches < 1)
        return CUSPARSE_STATUS_INVALID_VALUE;
    descriptor->batches = batches;
    descriptor->stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descriptor, int *batches,
                                              int64_t *stride)
{
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    PUT(batches, descriptor->batches);
    PUT(stride, descriptor->stride);
    return CUSPARSE_STATUS_SUCCESS;
}
