/* sparse.h - the drop-in libcusparse: sparse matrices, multiplied and solved on the host.
 *
 * A function waits for its handle's stream, copies what its descriptors name to the host, computes
 * in double precision, and copies the result back in the order of that stream. The kernels with
 * which a GPU would do it are not modelled: a profile shows copies. A stream that is being captured
 * is refused, since a graph could not compute again.
 *
 * Reading order: descriptors.c (what a program tells of its arrays), host.c and matrices.c (their
 * copies), products.c, vectors.c, triangles.c, spgemm.c, geam.c, factor.c, convert.c. Every other
 * function of the toolkit's library becomes a stub that says its name: ../client/stubs.awk.
 *
 * Functions give a status, and leave nothing to free unless they give CUSPARSE_STATUS_SUCCESS.
 */
#ifndef SPARSE_SPARSE_H
#define SPARSE_SPARSE_H

#include "../client/extension.h"

#include <cusparse.h>

typedef double _Complex number;

/* What descriptors.c makes; the library's users see pointers only. */
struct cusparseContext {
    uint32_t mark;
    cudaStream_t stream;
    cusparsePointerMode_t mode;
};
struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};
struct cusparseDnMatDescr {
    int64_t rows, columns, leading;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int batches;
    int64_t stride; /* elements from one matrix to the next */
};
struct cusparseSpVecDescr {
    int64_t size, count;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, columns, count;
    void *outer; /* CSR, CSC: offsets of rows or columns; COO: indices of rows */
    void *inner;
    void *values;
    cusparseIndexType_t outer_type, inner_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    int batches;
    int64_t outer_stride, inner_stride;
};

/* A sparse matrix on the host: entry i is value[i] at (row[i], column[i]), counted from 0. */
struct entries {
    int64_t rows, columns, count;
    int64_t *row, *column;
    number *value;
};

/* A dense matrix on the host, without what lies between its rows or columns. */
struct grid {
    number *value;
    int64_t row_step, column_step;
};

bool sparse_handle_is_sound(cusparseHandle_t handle);

/* --- host.c, matrices.c ----------------------------------------------------------------------- */

size_t sparse_type_bytes(cudaDataType type); /* 0: a type that is not served, after a sentence */
number sparse_number(const void *from, int64_t i, cudaDataType type);
void sparse_set_number(void *to, int64_t i, cudaDataType type, number value);
/* A scalar of the program's, on the host or the device as its pointer mode says. */
cusparseStatus_t sparse_scalar(cusparseHandle_t handle, const void *from, cudaDataType type,
                               number *scalar);

/* The bytes at `from`, once the handle's stream is done; NULL after a failure. */
void *sparse_fetch(cusparseHandle_t handle, const void *from, size_t bytes);
cusparseStatus_t sparse_store(cusparseHandle_t handle, void *to, const void *from, size_t bytes);
number *sparse_fetch_numbers(cusparseHandle_t handle, const void *from, int64_t count,
                             cudaDataType type);
cusparseStatus_t sparse_store_numbers(cusparseHandle_t handle, void *to, const number *numbers,
                                      int64_t count, cudaDataType type);
int64_t *sparse_fetch_indices(cusparseHandle_t handle, const void *from, int64_t count,
                              cusparseIndexType_t type, int64_t base);
cusparseStatus_t sparse_store_indices(cusparseHandle_t handle, void *to, const int64_t *indices,
                                      int64_t count, cusparseIndexType_t type, int64_t base);

cusparseStatus_t sparse_fetch_grid(cusparseHandle_t handle, cusparseConstDnMatDescr_t matrix,
                                   int batch, struct grid *grid);
cusparseStatus_t sparse_store_grid(cusparseHandle_t handle, cusparseConstDnMatDescr_t matrix,
                                   int batch, const struct grid *grid);

/* With `pattern` alone, values are 1. */
cusparseStatus_t sparse_fetch_matrix(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                     int batch, bool pattern, struct entries *entries);
cusparseStatus_t sparse_store_matrix(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                     const struct entries *entries);
bool sparse_new_entries(struct entries *entries, int64_t rows, int64_t columns, int64_t count);
void sparse_free_entries(struct entries *entries);
void sparse_apply(struct entries *entries, cusparseOperation_t operation);
/* By row, and by column within a row; equal places keep their order. offsets: rows + 1 of them. */
cusparseStatus_t sparse_sort(struct entries *entries, int64_t *offsets);

static inline number *grid_at(const struct grid *grid, int64_t row, int64_t column)
{
    return &grid->value[row * grid->row_step + column * grid->column_step];
}

/* op(A) of a dense matrix; conjugation is left to the caller. */
static inline struct grid grid_apply(struct grid grid, cusparseOperation_t operation)
{
    if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return grid;
    return (struct grid){grid.value, grid.column_step, grid.row_step};
}

#define TRY(call)                               \
    do {                                        \
        cusparseStatus_t status_ = (call);      \
        if (status_ != CUSPARSE_STATUS_SUCCESS) \
            return status_;                     \
    } while (0)

/* Enough for any function: nothing is kept in a program's buffer. */
enum { SPARSE_BUFFER_BYTES = 256 };

/* A function that only says how large a buffer has to be. */
#define BUFFER_SIZE(name, parameters)               \
    cusparseStatus_t name parameters                \
    {                                               \
        if (!sparse_handle_is_sound(handle))        \
            return CUSPARSE_STATUS_NOT_INITIALIZED; \
        if (!bytes)                                 \
            return CUSPARSE_STATUS_INVALID_VALUE;   \
        *bytes = SPARSE_BUFFER_BYTES;               \
        return CUSPARSE_STATUS_SUCCESS;             \
    }

#endif
