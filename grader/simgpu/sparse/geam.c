/* geam.c - sums of two sparse matrices by row, through the older functions. */
#include "sparse.h"

#include <stdlib.h>

struct rows_of {
    int m, n, count;
    cusparseMatDescr_t descriptor;
    const int *offsets, *columns;
};

static cusparseStatus_t fetch(cusparseHandle_t handle, const struct rows_of *rows,
                              const void *values, cudaDataType type, struct entries *entries)
{
    if (!rows->descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct cusparseSpMatDescr matrix = {.format = CUSPARSE_FORMAT_CSR,
                                        .rows = rows->m,
                                        .columns = rows->n,
                                        .count = rows->count,
                                        .outer = (void *)rows->offsets,
                                        .inner = (void *)rows->columns,
                                        .values = (void *)values,
                                        .outer_type = CUSPARSE_INDEX_32I,
                                        .inner_type = CUSPARSE_INDEX_32I,
                                        .base = rows->descriptor->base,
                                        .type = type};
    return sparse_fetch_matrix(handle, &matrix, 0, !values, entries);
}

/* Places that only one of the two has keep an entry, as do sums of 0. */
static cusparseStatus_t add(struct entries *a, number alpha, struct entries *b, number beta,
                            struct entries *c, int64_t *offsets)
{
    if (!sparse_new_entries(c, a->rows, a->columns, a->count + b->count))
        return CUSPARSE_STATUS_ALLOC_FAILED;
    for (int64_t i = 0; i < c->count; i++) {
        const struct entries *from = i < a->count ? a : b;
        int64_t k = i < a->count ? i : i - a->count;
        c->row[i] = from->row[k];
        c->column[i] = from->column[k];
        c->value[i] = (i < a->count ? alpha : beta) * from->value[k];
    }
    cusparseStatus_t status = sparse_sort(c, offsets);
    int64_t kept = 0;
    for (int64_t i = 0; status == CUSPARSE_STATUS_SUCCESS && i < c->count; i++) {
        if (kept && c->row[kept - 1] == c->row[i] && c->column[kept - 1] == c->column[i]) {
            c->value[kept - 1] += c->value[i];
            continue;
        }
        c->row[kept] = c->row[i];
        c->column[kept] = c->column[i];
        c->value[kept++] = c->value[i];
    }
    if (status == CUSPARSE_STATUS_SUCCESS) {
        c->count = kept;
        return sparse_sort(c, offsets);
    }
    sparse_free_entries(c);
    return status;
}

struct sum {
    struct rows_of a, b;
    const void *a_values, *b_values; /* NULL: places alone */
    number alpha, beta;
    cudaDataType type;
    struct entries result;
    int64_t *offsets;
};

static cusparseStatus_t sum_up(cusparseHandle_t handle, struct sum *sum)
{
    struct entries a, b;
    TRY(fetch(handle, &sum->a, sum->a_values, sum->type, &a));
    cusparseStatus_t status = fetch(handle, &sum->b, sum->b_values, sum->type, &b);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        sum->offsets = calloc((size_t)sum->a.m + 2, sizeof *sum->offsets);
        status = sum->offsets ? add(&a, sum->alpha, &b, sum->beta, &sum->result, sum->offsets)
                              : CUSPARSE_STATUS_ALLOC_FAILED;
        sparse_free_entries(&b);
    }
    sparse_free_entries(&a);
    if (status != CUSPARSE_STATUS_SUCCESS)
        free(sum->offsets);
    return status;
}

static void free_sum(struct sum *sum)
{
    sparse_free_entries(&sum->result);
    free(sum->offsets);
}

cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t a, int a_count, const int *a_offsets,
                                      const int *a_columns, const cusparseMatDescr_t b, int b_count,
                                      const int *b_offsets, const int *b_columns,
                                      const cusparseMatDescr_t c, int *c_offsets, int *total,
                                      void *buffer)
{
    struct sum sum = {.a = {m, n, a_count, a, a_offsets, a_columns},
                      .b = {m, n, b_count, b, b_offsets, b_columns},
                      .type = CUDA_R_32F};
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!c || !total)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sum_up(handle, &sum));
    int64_t count = sum.result.count;
    cusparseStatus_t status =
        sparse_store_indices(handle, c_offsets, sum.offsets, m + 1, CUSPARSE_INDEX_32I, c->base);
    free_sum(&sum);
    if (handle->mode == CUSPARSE_POINTER_MODE_HOST)
        *total = (int)count;
    else if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse_store_indices(handle, total, &count, 1, CUSPARSE_INDEX_32I, 0);
    return status;
}

static cusparseStatus_t store(cusparseHandle_t handle, const struct sum *sum,
                              const cusparseMatDescr_t descriptor, void *values, int *offsets,
                              int *columns)
{
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct cusparseSpMatDescr matrix = {.format = CUSPARSE_FORMAT_CSR,
                                        .rows = sum->a.m,
                                        .columns = sum->a.n,
                                        .count = sum->result.count,
                                        .outer = offsets,
                                        .inner = columns,
                                        .values = values,
                                        .outer_type = CUSPARSE_INDEX_32I,
                                        .inner_type = CUSPARSE_INDEX_32I,
                                        .base = descriptor->base,
                                        .type = sum->type};
    return sparse_store_matrix(handle, &matrix, &sum->result);
}

#define GEAM(letter, real, cuda_type)                                                              \
    BUFFER_SIZE(cusparse##letter##csrgeam2_bufferSizeExt,                                          \
                (cusparseHandle_t handle, int m, int n, const real *alpha,                         \
                 const cusparseMatDescr_t a, int a_count, const real *a_values,                    \
                 const int *a_offsets, const int *a_columns, const real *beta,                     \
                 const cusparseMatDescr_t b, int b_count, const real *b_values,                    \
                 const int *b_offsets, const int *b_columns, const cusparseMatDescr_t c,           \
                 const real *c_values, const int *c_offsets, const int *c_columns, size_t *bytes)) \
    cusparseStatus_t cusparse##letter##csrgeam2(                                                   \
        cusparseHandle_t handle, int m, int n, const real *alpha, const cusparseMatDescr_t a,      \
        int a_count, const real *a_values, const int *a_offsets, const int *a_columns,             \
        const real *beta, const cusparseMatDescr_t b, int b_count, const real *b_values,           \
        const int *b_offsets, const int *b_columns, const cusparseMatDescr_t c, real *c_values,    \
        int *c_offsets, int *c_columns, void *buffer)                                              \
    {                                                                                              \
        struct sum sum = {.a = {m, n, a_count, a, a_offsets, a_columns},                           \
                          .b = {m, n, b_count, b, b_offsets, b_columns},                           \
                          .a_values = a_values,                                                    \
                          .b_values = b_values,                                                    \
                          .type = cuda_type};                                                      \
        if (!sparse_handle_is_sound(handle))                                                       \
            return CUSPARSE_STATUS_NOT_INITIALIZED;                                                \
        TRY(sparse_scalar(handle, alpha, cuda_type, &sum.alpha));                                  \
        TRY(sparse_scalar(handle, beta, cuda_type, &sum.beta));                                    \
        TRY(sum_up(handle, &sum));                                                                 \
        cusparseStatus_t status = store(handle, &sum, c, c_values, c_offsets, c_columns);          \
        free_sum(&sum);                                                                            \
        return status;                                                                             \
    }

GEAM(S, float, CUDA_R_32F)
GEAM(D, double, CUDA_R_64F)
GEAM(C, cuComplex, CUDA_C_32F)
GEAM(Z, cuDoubleComplex, CUDA_C_64F)
