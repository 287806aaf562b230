/* descriptors_sparse.c - sparse matrices: rows (CSR), columns (CSC) or places (COO). */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

static cusparseStatus_t make(cusparseSpMatDescr_t *descriptor, struct cusparseSpMatDescr made)
{
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *descriptor = malloc(sizeof **descriptor);
    if (!*descriptor)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    made.batches = 1;
    **descriptor = made;
    return CUSPARSE_STATUS_SUCCESS;
}

#define CREATE_COMPRESSED(Name, its_format)                                                        \
    cusparseStatus_t cusparseCreate##Name(                                                         \
        cusparseSpMatDescr_t *descriptor, int64_t rows, int64_t columns, int64_t count,            \
        void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,               \
        cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)               \
    {                                                                                              \
        return make(descriptor, (struct cusparseSpMatDescr){                                       \
                                    its_format, rows, columns, count, offsets, indices, values,    \
                                    offset_type, index_type, base, type, CUSPARSE_FILL_MODE_LOWER, \
                                    CUSPARSE_DIAG_TYPE_NON_UNIT, 1, 0, 0});                        \
    }                                                                                              \
    cusparseStatus_t cusparseCreateConst##Name(                                                    \
        cusparseConstSpMatDescr_t *descriptor, int64_t rows, int64_t columns, int64_t count,       \
        const void *offsets, const void *indices, const void *values,                              \
        cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, \
        cudaDataType type)                                                                         \
    {                                                                                              \
        return cusparseCreate##Name((cusparseSpMatDescr_t *)descriptor, rows, columns, count,      \
                                    (void *)offsets, (void *)indices, (void *)values, offset_type, \
                                    index_type, base, type);                                       \
    }                                                                                              \
    cusparseStatus_t cusparseConst##Name##Get(                                                     \
        cusparseConstSpMatDescr_t descriptor, int64_t *rows, int64_t *columns, int64_t *count,     \
        const void **offsets, const void **indices, const void **values,                           \
        cusparseIndexType_t *offset_type, cusparseIndexType_t *index_type,                         \
        cusparseIndexBase_t *base, cudaDataType *type)                                             \
    {                                                                                              \
        if (!descriptor || descriptor->format != its_format)                                       \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                  \
        *rows = descriptor->rows;                                                                  \
        *columns = descriptor->columns;                                                            \
        *count = descriptor->count;                                                                \
        *offsets = descriptor->outer;                                                              \
        *indices = descriptor->inner;                                                              \
        *values = descriptor->values;                                                              \
        *offset_type = descriptor->outer_type;                                                     \
        *index_type = descriptor->inner_type;                                                      \
        *base = descriptor->base;                                                                  \
        *type = descriptor->type;                                                                  \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparse##Name##Get(                                                          \
        cusparseSpMatDescr_t descriptor, int64_t *rows, int64_t *columns, int64_t *count,          \
        void **offsets, void **indices, void **values, cusparseIndexType_t *offset_type,           \
        cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type)            \
    {                                                                                              \
        return cusparseConst##Name##Get(descriptor, rows, columns, count, (const void **)offsets,  \
                                        (const void **)indices, (const void **)values,             \
                                        offset_type, index_type, base, type);                      \
    }

CREATE_COMPRESSED(Csr, CUSPARSE_FORMAT_CSR)
CREATE_COMPRESSED(Csc, CUSPARSE_FORMAT_CSC)

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *descriptor, int64_t rows, int64_t columns,
                                   int64_t count, void *row, void *column, void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    return make(descriptor, (struct cusparseSpMatDescr){CUSPARSE_FORMAT_COO, rows, columns, count,
                                                        row, column, values, index_type, index_type,
                                                        base, type, CUSPARSE_FILL_MODE_LOWER,
                                                        CUSPARSE_DIAG_TYPE_NON_UNIT, 1, 0, 0});
}

cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *descriptor, int64_t rows,
                                        int64_t columns, int64_t count, const void *row,
                                        const void *column, const void *values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType type)
{
    return cusparseCreateCoo((cusparseSpMatDescr_t *)descriptor, rows, columns, count, (void *)row,
                             (void *)column, (void *)values, index_type, base, type);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t descriptor)
{
    free((void *)descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t point(cusparseSpMatDescr_t descriptor, void *outer, void *inner,
                              void *values)
{
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    descriptor->outer = outer;
    descriptor->inner = inner;
    descriptor->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t descriptor, void *offsets,
                                        void *columns, void *values)
{
    return point(descriptor, offsets, columns, values);
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t descriptor, void *offsets, void *rows,
                                        void *values)
{
    return point(descriptor, offsets, rows, values);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t descriptor, void *rows, void *columns,
                                        void *values)
{
    return point(descriptor, rows, columns, values);
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descriptor,
                                        cusparseFormat_t *format)
{
    if (!descriptor || !format)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *format = descriptor->format;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descriptor,
                                           cusparseIndexBase_t *base)
{
    if (!descriptor || !base)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *base = descriptor->base;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t descriptor, int64_t *rows,
                                      int64_t *columns, int64_t *count)
{
    if (!descriptor || !rows || !columns || !count)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *rows = descriptor->rows;
    *columns = descriptor->columns;
    *count = descriptor->count;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descriptor, int *batches)
{
    if (!descriptor || !batches)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *batches = descriptor->batches;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t repeat(cusparseSpMatDescr_t descriptor, int batches, int64_t outer_stride,
                               int64_t inner_stride)
{
    if (!descriptor || batches < 1)
        return CUSPARSE_STATUS_INVALID_VALUE;
    descriptor->batches = batches;
    descriptor->outer_stride = outer_stride;
    descriptor->inner_stride = inner_stride;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descriptor, int batches,
                                            int64_t offset_stride, int64_t entry_stride)
{
    return repeat(descriptor, batches, offset_stride, entry_stride);
}

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t descriptor, int batches,
                                            int64_t stride)
{
    return repeat(descriptor, batches, stride, stride);
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t descriptor,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size)
{
    if (!descriptor || !data || size != sizeof descriptor->fill)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        memcpy(&descriptor->fill, data, size);
    else
        memcpy(&descriptor->diagonal, data, size);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descriptor,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size)
{
    if (!descriptor || !data || size != sizeof descriptor->fill)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        memcpy(data, &descriptor->fill, size);
    else
        memcpy(data, &descriptor->diagonal, size);
    return CUSPARSE_STATUS_SUCCESS;
}
