/* matrices.c - whole matrices on the host, dense and sparse. */
#include "sparse.h"

#include <complex.h>
#include <stdlib.h>

/* --- Dense ------------------------------------------------------------------------------------ */

/* Elements next to each other, and how often: columns for column-major matrices. */
struct shape {
    size_t width, height, pitch; /* width and pitch in bytes */
    char *first;
};

static struct shape shape_of(cusparseConstDnMatDescr_t matrix, int batch, size_t bytes)
{
    bool by_column = matrix->order == CUSPARSE_ORDER_COL;
    int64_t width = by_column ? matrix->rows : matrix->columns;
    int64_t height = by_column ? matrix->columns : matrix->rows;
    return (struct shape){(size_t)width * bytes, (size_t)height, (size_t)matrix->leading * bytes,
                          (char *)matrix->values + batch * matrix->stride * (int64_t)bytes};
}

static struct grid grid_of(cusparseConstDnMatDescr_t matrix)
{
    bool by_column = matrix->order == CUSPARSE_ORDER_COL;
    return (struct grid){NULL, by_column ? 1 : matrix->columns, by_column ? matrix->rows : 1};
}

cusparseStatus_t sparse_fetch_grid(cusparseHandle_t handle, cusparseConstDnMatDescr_t matrix,
                                   int batch, struct grid *grid)
{
    size_t bytes = sparse_type_bytes(matrix->type);
    if (!bytes)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    struct shape shape = shape_of(matrix, batch, bytes);
    int64_t count = matrix->rows * matrix->columns;
    size_t span = shape.height ? (shape.height - 1) * shape.pitch + shape.width : 0;
    char *copy = sparse_fetch(handle, shape.first, span);
    *grid = grid_of(matrix);
    grid->value = copy ? calloc((size_t)count + 1, sizeof *grid->value) : NULL;
    int64_t width = shape.height ? count / (int64_t)shape.height : 0;
    for (int64_t i = 0; grid->value && i < count; i++)
        grid->value[i] =
            sparse_number(copy + (size_t)(i / width) * shape.pitch, i % width, matrix->type);
    free(copy);
    return grid->value ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t sparse_store_grid(cusparseHandle_t handle, cusparseConstDnMatDescr_t matrix,
                                   int batch, const struct grid *grid)
{
    size_t bytes = sparse_type_bytes(matrix->type);
    struct shape shape = shape_of(matrix, batch, bytes);
    int64_t count = matrix->rows * matrix->columns;
    char *copy = malloc((size_t)count * bytes + 1);
    if (!copy)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    for (int64_t i = 0; i < count; i++)
        sparse_set_number(copy, i, matrix->type, grid->value[i]);
    /* Through a part of the program's own between rows, nothing is written. */
    cudaError_t error = cudaSuccess;
    if (count)
        error = cudaMemcpy2DAsync(shape.first, shape.pitch, copy, shape.width, shape.width,
                                  shape.height, cudaMemcpyDefault, handle->stream);
    free(copy);
    return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/* --- Sparse ----------------------------------------------------------------------------------- */

bool sparse_new_entries(struct entries *entries, int64_t rows, int64_t columns, int64_t count)
{
    size_t places = (size_t)count + 1;
    *entries = (struct entries){rows,
                                columns,
                                count,
                                calloc(places, sizeof *entries->row),
                                calloc(places, sizeof *entries->column),
                                calloc(places, sizeof *entries->value)};
    if (entries->row && entries->column && entries->value)
        return true;
    sparse_free_entries(entries);
    return false;
}

void sparse_free_entries(struct entries *entries)
{
    free(entries->row);
    free(entries->column);
    free(entries->value);
    *entries = (struct entries){0};
}

/* From the offsets of rows to the row of each entry; NULL if they are not in order. */
static int64_t *spread(const int64_t *offsets, int64_t rows, int64_t count)
{
    int64_t *row = offsets ? calloc((size_t)count + 1, sizeof *row) : NULL;
    for (int64_t i = 0; row && i < rows; i++) {
        if (offsets[i] < 0 || offsets[i + 1] > count) {
            free(row);
            return NULL;
        }
        for (int64_t k = offsets[i]; k < offsets[i + 1]; k++)
            row[k] = i;
    }
    return row;
}

static int64_t *fetch_outer(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix, int batch)
{
    int64_t count = matrix->count;
    size_t width = matrix->outer_type == CUSPARSE_INDEX_64I ? 8 : 4;
    const char *from = (const char *)matrix->outer + (size_t)(batch * matrix->outer_stride) * width;
    if (matrix->format == CUSPARSE_FORMAT_COO)
        return sparse_fetch_indices(handle, from, count, matrix->outer_type, matrix->base);
    int64_t outer = matrix->format == CUSPARSE_FORMAT_CSC ? matrix->columns : matrix->rows;
    int64_t *offsets =
        sparse_fetch_indices(handle, from, outer + 1, matrix->outer_type, matrix->base);
    int64_t *spreaded = spread(offsets, outer, count);
    free(offsets);
    return spreaded;
}

static number *ones(int64_t count)
{
    number *values = calloc((size_t)count + 1, sizeof *values);
    for (int64_t i = 0; values && i < count; i++)
        values[i] = 1;
    return values;
}

static bool indices_are_sound(const struct entries *entries)
{
    for (int64_t i = 0; i < entries->count; i++)
        if (entries->row[i] < 0 || entries->row[i] >= entries->rows || entries->column[i] < 0 ||
            entries->column[i] >= entries->columns)
            return false;
    return true;
}

cusparseStatus_t sparse_fetch_matrix(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                     int batch, bool pattern, struct entries *entries)
{
    size_t index_width = matrix->inner_type == CUSPARSE_INDEX_64I ? 8 : 4;
    size_t bytes = sparse_type_bytes(matrix->type);
    if (!bytes)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    size_t first = (size_t)(batch * matrix->inner_stride);
    int64_t count = matrix->count;
    int64_t *outer = fetch_outer(handle, matrix, batch);
    int64_t *inner = sparse_fetch_indices(handle, (const char *)matrix->inner + first * index_width,
                                          count, matrix->inner_type, matrix->base);
    number *values =
        pattern ? ones(count)
                : sparse_fetch_numbers(handle, (const char *)matrix->values + first * bytes, count,
                                       matrix->type);
    bool by_column = matrix->format == CUSPARSE_FORMAT_CSC;
    *entries = (struct entries){
        matrix->rows, matrix->columns, count, by_column ? inner : outer, by_column ? outer : inner,
        values};
    if (outer && inner && values && indices_are_sound(entries))
        return CUSPARSE_STATUS_SUCCESS;
    if (outer && inner && values)
        simgpu_extension()->explain("cuSPARSE: an index of a sparse matrix is out of range");
    sparse_free_entries(entries);
    return CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t sparse_store_matrix(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                     const struct entries *entries)
{
    int64_t outer = matrix->format == CUSPARSE_FORMAT_CSC ? matrix->columns : matrix->rows;
    struct entries turned = *entries;
    if (matrix->format == CUSPARSE_FORMAT_CSC)
        sparse_apply(&turned, CUSPARSE_OPERATION_TRANSPOSE);
    int64_t *offsets = calloc((size_t)outer + 2, sizeof *offsets);
    if (!offsets)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    cusparseStatus_t status = sparse_sort(&turned, offsets);
    if (status == CUSPARSE_STATUS_SUCCESS && matrix->format == CUSPARSE_FORMAT_COO)
        status = sparse_store_indices(handle, matrix->outer, turned.row, turned.count,
                                      matrix->outer_type, matrix->base);
    else if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse_store_indices(handle, matrix->outer, offsets, outer + 1, matrix->outer_type,
                                      matrix->base);
    free(offsets);
    TRY(status);
    TRY(sparse_store_indices(handle, matrix->inner, turned.column, turned.count, matrix->inner_type,
                             matrix->base));
    return sparse_store_numbers(handle, matrix->values, turned.value, turned.count, matrix->type);
}

void sparse_apply(struct entries *entries, cusparseOperation_t operation)
{
    if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return;
    struct entries was = *entries;
    entries->rows = was.columns;
    entries->columns = was.rows;
    entries->row = was.column;
    entries->column = was.row;
    if (operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        for (int64_t i = 0; i < entries->count; i++)
            entries->value[i] = conj(entries->value[i]);
}

/* Moves entries so that `key` does not fall, keeping the order of equals: a counting sort. */
static bool sort_by(struct entries *entries, const int64_t *key, int64_t *offsets, int64_t keys)
{
    struct entries sorted;
    if (!sparse_new_entries(&sorted, entries->rows, entries->columns, entries->count))
        return false;
    for (int64_t i = 0; i <= keys; i++)
        offsets[i] = 0;
    for (int64_t i = 0; i < entries->count; i++)
        offsets[key[i] + 1]++;
    for (int64_t i = 0; i < keys; i++)
        offsets[i + 1] += offsets[i];
    for (int64_t i = 0; i < entries->count; i++) {
        int64_t to = offsets[key[i]]++;
        sorted.row[to] = entries->row[i];
        sorted.column[to] = entries->column[i];
        sorted.value[to] = entries->value[i];
    }
    for (int64_t i = keys; i > 0; i--)
        offsets[i] = offsets[i - 1];
    offsets[0] = 0;
    for (int64_t i = 0; i < entries->count; i++) {
        entries->row[i] = sorted.row[i];
        entries->column[i] = sorted.column[i];
        entries->value[i] = sorted.value[i];
    }
    sparse_free_entries(&sorted);
    return true;
}

cusparseStatus_t sparse_sort(struct entries *entries, int64_t *offsets)
{
    int64_t *columns = calloc((size_t)entries->columns + 2, sizeof *columns);
    bool sorted = columns && sort_by(entries, entries->column, columns, entries->columns) &&
                  sort_by(entries, entries->row, offsets, entries->rows);
    free(columns);
    return sorted ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
