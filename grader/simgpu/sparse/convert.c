/* convert.c - from one form to another: dense and sparse, sorted and not, offsets and indices. */
#include "sparse.h"

#include <stdlib.h>

BUFFER_SIZE(cusparseSparseToDense_bufferSize,
            (cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse, cusparseDnMatDescr_t dense,
             cusparseSparseToDenseAlg_t algorithm, size_t *bytes))

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                       cusparseDnMatDescr_t dense,
                                       cusparseSparseToDenseAlg_t algorithm, void *buffer)
{
    struct entries entries;
    struct grid grid;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!sparse || !dense || sparse->rows != dense->rows || sparse->columns != dense->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_fetch_matrix(handle, sparse, 0, false, &entries));
    cusparseStatus_t status = sparse_fetch_grid(handle, dense, 0, &grid);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        for (int64_t i = 0; i < dense->rows * dense->columns; i++)
            grid.value[i] = 0;
        for (int64_t i = 0; i < entries.count; i++)
            *grid_at(&grid, entries.row[i], entries.column[i]) = entries.value[i];
        status = sparse_store_grid(handle, dense, 0, &grid);
        free(grid.value);
    }
    sparse_free_entries(&entries);
    return status;
}

/* --- What of a dense matrix is not zero ------------------------------------------------------- */

static cusparseStatus_t entries_of(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                   struct entries *entries)
{
    struct grid grid;
    int64_t count = 0;
    TRY(sparse_fetch_grid(handle, dense, 0, &grid));
    for (int64_t i = 0; i < dense->rows * dense->columns; i++)
        count += grid.value[i] != 0;
    if (!sparse_new_entries(entries, dense->rows, dense->columns, count)) {
        free(grid.value);
        return CUSPARSE_STATUS_ALLOC_FAILED;
    }
    count = 0;
    for (int64_t i = 0; i < dense->rows; i++)
        for (int64_t j = 0; j < dense->columns; j++) {
            number value = *grid_at(&grid, i, j);
            if (value == 0)
                continue;
            entries->row[count] = i;
            entries->column[count] = j;
            entries->value[count++] = value;
        }
    free(grid.value);
    return CUSPARSE_STATUS_SUCCESS;
}

BUFFER_SIZE(cusparseDenseToSparse_bufferSize,
            (cusparseHandle_t handle, cusparseConstDnMatDescr_t dense, cusparseSpMatDescr_t sparse,
             cusparseDenseToSparseAlg_t algorithm, size_t *bytes))

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t dense,
                                                cusparseSpMatDescr_t sparse,
                                                cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    struct entries entries;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!dense || !sparse)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(entries_of(handle, dense, &entries));
    sparse->count = entries.count;
    sparse_free_entries(&entries);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t dense,
                                               cusparseSpMatDescr_t sparse,
                                               cusparseDenseToSparseAlg_t algorithm, void *buffer)
{
    struct entries entries;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!dense || !sparse)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(entries_of(handle, dense, &entries));
    cusparseStatus_t status = entries.count == sparse->count
                                  ? sparse_store_matrix(handle, sparse, &entries)
                                  : CUSPARSE_STATUS_INVALID_VALUE;
    sparse_free_entries(&entries);
    return status;
}

static cusparseStatus_t count_nonzero(cusparseHandle_t handle, cusparseDirection_t direction, int m,
                                      int n, const void *dense, int leading, int *each, int *total,
                                      cudaDataType type)
{
    struct cusparseDnMatDescr matrix = {m, n, leading, (void *)dense, type, CUSPARSE_ORDER_COL,
                                        1, 0};
    struct entries entries;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!total || m < 0 || n < 0 || leading < m)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(entries_of(handle, &matrix, &entries));
    bool by_row = direction == CUSPARSE_DIRECTION_ROW;
    int64_t *counts = calloc((size_t)(by_row ? m : n) + 1, sizeof *counts), count = entries.count;
    for (int64_t i = 0; counts && i < count; i++)
        counts[by_row ? entries.row[i] : entries.column[i]]++;
    sparse_free_entries(&entries);
    cusparseStatus_t status =
        counts ? sparse_store_indices(handle, each, counts, by_row ? m : n, CUSPARSE_INDEX_32I, 0)
               : CUSPARSE_STATUS_ALLOC_FAILED;
    free(counts);
    if (handle->mode == CUSPARSE_POINTER_MODE_HOST)
        *total = (int)count;
    else if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse_store_indices(handle, total, &count, 1, CUSPARSE_INDEX_32I, 0);
    return status;
}

#define NNZ(letter, real, cuda_type)                                                               \
    cusparseStatus_t cusparse##letter##nnz(cusparseHandle_t handle, cusparseDirection_t direction, \
                                           int m, int n, const cusparseMatDescr_t descriptor,      \
                                           const real *dense, int leading, int *each, int *total)  \
    {                                                                                              \
        return count_nonzero(handle, direction, m, n, dense, leading, each, total, cuda_type);     \
    }

NNZ(S, float, CUDA_R_32F)
NNZ(D, double, CUDA_R_64F)
NNZ(C, cuComplex, CUDA_C_32F)
NNZ(Z, cuDoubleComplex, CUDA_C_64F)

/* --- Order ------------------------------------------------------------------------------------ */

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *permutation)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    int64_t *numbers = calloc((size_t)n + 1, sizeof *numbers);
    if (!numbers)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    for (int i = 0; i < n; i++)
        numbers[i] = i;
    cusparseStatus_t status =
        sparse_store_indices(handle, permutation, numbers, n, CUSPARSE_INDEX_32I, 0);
    free(numbers);
    return status;
}

BUFFER_SIZE(cusparseXcsrsort_bufferSizeExt, (cusparseHandle_t handle, int m, int n, int count,
                                             const int *offsets, const int *columns, size_t *bytes))

/* The permutation moves with the columns: values hold its numbers meanwhile. */
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int count,
                                  const cusparseMatDescr_t descriptor, const int *offsets,
                                  int *columns, int *permutation, void *buffer)
{
    struct entries entries;
    struct cusparseSpMatDescr matrix = {.format = CUSPARSE_FORMAT_CSR,
                                        .rows = m,
                                        .columns = n,
                                        .count = count,
                                        .outer = (void *)offsets,
                                        .inner = columns,
                                        .values = permutation,
                                        .outer_type = CUSPARSE_INDEX_32I,
                                        .inner_type = CUSPARSE_INDEX_32I,
                                        .type = CUDA_R_32I};
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    matrix.base = descriptor->base;
    TRY(sparse_fetch_matrix(handle, &matrix, 0, !permutation, &entries));
    int64_t *starts = calloc((size_t)m + 2, sizeof *starts);
    cusparseStatus_t status = starts ? sparse_sort(&entries, starts) : CUSPARSE_STATUS_ALLOC_FAILED;
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse_store_indices(handle, columns, entries.column, count, CUSPARSE_INDEX_32I,
                                      matrix.base);
    if (status == CUSPARSE_STATUS_SUCCESS && permutation)
        status = sparse_store_numbers(handle, permutation, entries.value, count, CUDA_R_32I);
    free(starts);
    sparse_free_entries(&entries);
    return status;
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int count, int m,
                                  int *rows, cusparseIndexBase_t base)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    int64_t *starts = sparse_fetch_indices(handle, offsets, m + 1, CUSPARSE_INDEX_32I, base);
    int64_t *row = calloc((size_t)count + 1, sizeof *row);
    cusparseStatus_t status = CUSPARSE_STATUS_EXECUTION_FAILED;
    if (starts && row) {
        for (int i = 0; i < m; i++)
            for (int64_t k = starts[i] < 0 ? 0 : starts[i]; k < starts[i + 1] && k < count; k++)
                row[k] = i;
        status = sparse_store_indices(handle, rows, row, count, CUSPARSE_INDEX_32I, base);
    }
    free(starts);
    free(row);
    return status;
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int count, int m,
                                  int *offsets, cusparseIndexBase_t base)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    int64_t *row = sparse_fetch_indices(handle, rows, count, CUSPARSE_INDEX_32I, base);
    int64_t *starts = calloc((size_t)m + 2, sizeof *starts);
    cusparseStatus_t status = CUSPARSE_STATUS_EXECUTION_FAILED;
    if (row && starts) {
        for (int i = 0; i < count; i++)
            if (row[i] >= 0 && row[i] < m)
                starts[row[i] + 1]++;
        for (int i = 0; i < m; i++)
            starts[i + 1] += starts[i];
        status = sparse_store_indices(handle, offsets, starts, m + 1, CUSPARSE_INDEX_32I, base);
    }
    free(row);
    free(starts);
    return status;
}

/* --- From rows to columns --------------------------------------------------------------------- */

BUFFER_SIZE(cusparseCsr2cscEx2_bufferSize,
            (cusparseHandle_t handle, int m, int n, int count, const void *values,
             const int *offsets, const int *columns, void *csc_values, int *csc_offsets,
             int *csc_rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
             cusparseCsr2CscAlg_t algorithm, size_t *bytes))

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int count,
                                    const void *values, const int *offsets, const int *columns,
                                    void *csc_values, int *csc_offsets, int *csc_rows,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
                                    void *buffer)
{
    struct entries entries;
    struct cusparseSpMatDescr matrix = {.format = CUSPARSE_FORMAT_CSR,
                                        .rows = m,
                                        .columns = n,
                                        .count = count,
                                        .outer = (void *)offsets,
                                        .inner = (void *)columns,
                                        .values = (void *)values,
                                        .outer_type = CUSPARSE_INDEX_32I,
                                        .inner_type = CUSPARSE_INDEX_32I,
                                        .base = base,
                                        .type = type};
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    bool places_alone = action == CUSPARSE_ACTION_SYMBOLIC;
    TRY(sparse_fetch_matrix(handle, &matrix, 0, places_alone, &entries));
    sparse_apply(&entries, CUSPARSE_OPERATION_TRANSPOSE);
    int64_t *starts = calloc((size_t)n + 2, sizeof *starts);
    cusparseStatus_t status = starts ? sparse_sort(&entries, starts) : CUSPARSE_STATUS_ALLOC_FAILED;
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse_store_indices(handle, csc_offsets, starts, n + 1, CUSPARSE_INDEX_32I, base);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status =
            sparse_store_indices(handle, csc_rows, entries.column, count, CUSPARSE_INDEX_32I, base);
    if (status == CUSPARSE_STATUS_SUCCESS && !places_alone)
        status = sparse_store_numbers(handle, csc_values, entries.value, count, type);
    free(starts);
    sparse_free_entries(&entries);
    return status;
}
