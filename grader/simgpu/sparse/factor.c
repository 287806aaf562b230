/* factor.c - incomplete LU of a matrix by row, in place, with no entry added. */
#include "sparse.h"

#include <stdlib.h>

struct csrilu02Info {
    int64_t zero_pivot; /* -1: none */
};

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    if (!info)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *info = calloc(1, sizeof **info);
    if (!*info)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    (*info)->zero_pivot = -1;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position)
{
    int64_t pivot = info ? info->zero_pivot : -1;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!info || !position)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (handle->mode == CUSPARSE_POINTER_MODE_HOST)
        *position = (int)pivot;
    else
        TRY(sparse_store_indices(handle, position, &pivot, 1, CUSPARSE_INDEX_32I, 0));
    return pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

/* Where the row has that column, or -1. */
static int64_t find(const struct entries *a, const int64_t *offsets, int64_t row, int64_t column)
{
    for (int64_t e = offsets[row]; e < offsets[row + 1]; e++)
        if (a->column[e] == column)
            return e;
    return -1;
}

static void subtract_row(struct entries *a, const int64_t *offsets, int64_t i, int64_t k,
                         number factor)
{
    for (int64_t e = offsets[k]; e < offsets[k + 1]; e++) {
        int64_t at = a->column[e] > k ? find(a, offsets, i, a->column[e]) : -1;
        if (at >= 0)
            a->value[at] -= factor * a->value[e];
    }
}

/* L has a diagonal of 1, which is not stored. The first row without a pivot is told. */
static int64_t factor(struct entries *a, const int64_t *offsets)
{
    int64_t zero_pivot = -1;
    for (int64_t i = 0; i < a->rows; i++) {
        for (int64_t e = offsets[i]; e < offsets[i + 1] && a->column[e] < i; e++) {
            int64_t pivot = find(a, offsets, a->column[e], a->column[e]);
            if (pivot < 0)
                continue;
            a->value[e] /= a->value[pivot];
            subtract_row(a, offsets, i, a->column[e], a->value[e]);
        }
        int64_t diagonal = find(a, offsets, i, i);
        if (zero_pivot < 0 && (diagonal < 0 || a->value[diagonal] == 0))
            zero_pivot = i;
    }
    return zero_pivot;
}

static cusparseStatus_t factor_in_place(cusparseHandle_t handle, int m, int count,
                                        const cusparseMatDescr_t descriptor, void *values,
                                        const int *offsets, const int *columns, csrilu02Info_t info,
                                        cudaDataType type)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!descriptor || !info)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct entries a;
    struct cusparseSpMatDescr matrix = {.format = CUSPARSE_FORMAT_CSR,
                                        .rows = m,
                                        .columns = m,
                                        .count = count,
                                        .outer = (void *)offsets,
                                        .inner = (void *)columns,
                                        .values = values,
                                        .outer_type = CUSPARSE_INDEX_32I,
                                        .inner_type = CUSPARSE_INDEX_32I,
                                        .base = descriptor->base,
                                        .type = type};
    int64_t *starts = calloc((size_t)m + 2, sizeof *starts);
    cusparseStatus_t status =
        starts ? sparse_fetch_matrix(handle, &matrix, 0, false, &a) : CUSPARSE_STATUS_ALLOC_FAILED;
    if (status == CUSPARSE_STATUS_SUCCESS) {
        status = sparse_sort(&a, starts); /* its entries are in order already */
        info->zero_pivot = factor(&a, starts);
        if (status == CUSPARSE_STATUS_SUCCESS)
            status = sparse_store_numbers(handle, values, a.value, count, type);
        sparse_free_entries(&a);
    }
    free(starts);
    return status;
}

#define ILU(letter, real, cuda_type)                                                               \
    BUFFER_SIZE(cusparse##letter##csrilu02_bufferSize,                                             \
                (cusparseHandle_t handle, int m, int count, const cusparseMatDescr_t a,            \
                 real *values, const int *offsets, const int *columns, csrilu02Info_t info,        \
                 int *bytes))                                                                      \
    cusparseStatus_t cusparse##letter##csrilu02_analysis(                                          \
        cusparseHandle_t handle, int m, int count, const cusparseMatDescr_t a, const real *values, \
        const int *offsets, const int *columns, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer)                                                                              \
    {                                                                                              \
        return sparse_handle_is_sound(handle) ? CUSPARSE_STATUS_SUCCESS                            \
                                              : CUSPARSE_STATUS_NOT_INITIALIZED;                   \
    }                                                                                              \
    cusparseStatus_t cusparse##letter##csrilu02(                                                   \
        cusparseHandle_t handle, int m, int count, const cusparseMatDescr_t a, real *values,       \
        const int *offsets, const int *columns, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer)                                                                              \
    {                                                                                              \
        return factor_in_place(handle, m, count, a, values, offsets, columns, info, cuda_type);    \
    }

ILU(S, float, CUDA_R_32F)
ILU(D, double, CUDA_R_64F)
ILU(C, cuComplex, CUDA_C_32F)
ILU(Z, cuDoubleComplex, CUDA_C_64F)
