/* spgemm.c - a sparse matrix times a sparse matrix: what is computed waits in a descriptor until
 * the program has given the result its arrays. */
#include "sparse.h"

#include <stdlib.h>

struct cusparseSpGEMMDescr {
    bool estimated, computed;
    int64_t products;
    struct entries result;
};

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descriptor)
{
    if (!descriptor)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *descriptor = calloc(1, sizeof **descriptor);
    return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor)
{
    if (descriptor)
        sparse_free_entries(&descriptor->result);
    free(descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descriptor, int64_t *products)
{
    if (!descriptor || !products)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *products = descriptor->products;
    return CUSPARSE_STATUS_SUCCESS;
}

static int64_t count_products(const struct entries *a, const int64_t *rows_of_b)
{
    int64_t products = 0;
    for (int64_t i = 0; i < a->count; i++)
        products += rows_of_b[a->column[i] + 1] - rows_of_b[a->column[i]];
    return products;
}

/* Entries at the same place become one; the order is by row and column. */
static cusparseStatus_t gather_equals(struct entries *entries)
{
    int64_t *offsets = calloc((size_t)entries->rows + 2, sizeof *offsets);
    cusparseStatus_t status =
        offsets ? sparse_sort(entries, offsets) : CUSPARSE_STATUS_ALLOC_FAILED;
    free(offsets);
    TRY(status);
    int64_t kept = 0;
    for (int64_t i = 0; i < entries->count; i++) {
        if (kept && entries->row[kept - 1] == entries->row[i] &&
            entries->column[kept - 1] == entries->column[i]) {
            entries->value[kept - 1] += entries->value[i];
            continue;
        }
        entries->row[kept] = entries->row[i];
        entries->column[kept] = entries->column[i];
        entries->value[kept++] = entries->value[i];
    }
    entries->count = kept;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t multiply(cusparseSpGEMMDescr_t descriptor, const struct entries *a,
                                 struct entries *b, number alpha)
{
    struct entries *c = &descriptor->result;
    int64_t *rows_of_b = calloc((size_t)b->rows + 2, sizeof *rows_of_b);
    cusparseStatus_t status = rows_of_b ? sparse_sort(b, rows_of_b) : CUSPARSE_STATUS_ALLOC_FAILED;
    sparse_free_entries(c);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        descriptor->products = count_products(a, rows_of_b);
        if (!sparse_new_entries(c, a->rows, b->columns, descriptor->products))
            status = CUSPARSE_STATUS_ALLOC_FAILED;
    }
    for (int64_t i = 0, to = 0; status == CUSPARSE_STATUS_SUCCESS && i < a->count; i++)
        for (int64_t k = rows_of_b[a->column[i]]; k < rows_of_b[a->column[i] + 1]; k++, to++) {
            c->row[to] = a->row[i];
            c->column[to] = b->column[k];
            c->value[to] = alpha * a->value[i] * b->value[k];
        }
    free(rows_of_b);
    return status == CUSPARSE_STATUS_SUCCESS ? gather_equals(c) : status;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t operation_a, cusparseOperation_t operation_b,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta,
    cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t descriptor, size_t *bytes, void *buffer)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!bytes || !descriptor || !a || !b || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!buffer)
        *bytes = SPARSE_BUFFER_BYTES;
    descriptor->estimated = true;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t compute(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix_a,
                                cusparseConstSpMatDescr_t matrix_b, number alpha,
                                cusparseSpGEMMDescr_t descriptor)
{
    struct entries a, b;
    TRY(sparse_fetch_matrix(handle, matrix_a, 0, false, &a));
    cusparseStatus_t status = sparse_fetch_matrix(handle, matrix_b, 0, false, &b);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        status = multiply(descriptor, &a, &b, alpha);
        sparse_free_entries(&b);
    }
    sparse_free_entries(&a);
    return status;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                        cusparseOperation_t operation_b, const void *alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t algorithm,
                                        cusparseSpGEMMDescr_t descriptor, size_t *bytes,
                                        void *buffer)
{
    number by, and;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!bytes || !descriptor || !a || !b || !c || !descriptor->estimated ||
        a->columns != b->rows || c->rows != a->rows || c->columns != b->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (operation_a != CUSPARSE_OPERATION_NON_TRANSPOSE ||
        operation_b != CUSPARSE_OPERATION_NON_TRANSPOSE)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!buffer) {
        *bytes = SPARSE_BUFFER_BYTES;
        return CUSPARSE_STATUS_SUCCESS;
    }
    TRY(sparse_scalar(handle, alpha, type, &by));
    TRY(sparse_scalar(handle, beta, type, &and));
    if (and != 0) {
        simgpu_extension()->explain("cusparseSpGEMM with a beta other than 0 is not simulated");
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    TRY(compute(handle, a, b, by, descriptor));
    c->count = descriptor->result.count;
    descriptor->computed = true;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                     cusparseOperation_t operation_b, const void *alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                     cusparseSpGEMMAlg_t algorithm,
                                     cusparseSpGEMMDescr_t descriptor)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!descriptor || !descriptor->computed || !c || c->count != descriptor->result.count)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return sparse_store_matrix(handle, c, &descriptor->result);
}
