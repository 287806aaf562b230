/* products.c - a sparse matrix times a vector or a dense matrix, and dense products at the places
 * of a sparse matrix. */
#include "sparse.h"

#include <complex.h>
#include <stdlib.h>

/* y = alpha op(A) x + beta y; with beta 0, y is not read. */
static void multiply(const struct entries *a, number alpha, const number *x, number beta, number *y)
{
    for (int64_t i = 0; i < a->rows; i++)
        y[i] = beta == 0 ? 0 : beta * y[i];
    for (int64_t i = 0; i < a->count; i++)
        y[a->row[i]] += alpha * a->value[i] * x[a->column[i]];
}

static cusparseStatus_t multiply_vector(cusparseHandle_t handle, const struct entries *a,
                                        number alpha, cusparseConstDnVecDescr_t vector_x,
                                        number beta, cusparseDnVecDescr_t vector_y)
{
    cusparseStatus_t status = CUSPARSE_STATUS_EXECUTION_FAILED;
    if (vector_x->size != a->columns || vector_y->size != a->rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    number *x = sparse_fetch_numbers(handle, vector_x->values, vector_x->size, vector_x->type);
    number *y =
        beta == 0 ? calloc((size_t)a->rows + 1, sizeof *y)
                  : sparse_fetch_numbers(handle, vector_y->values, vector_y->size, vector_y->type);
    if (x && y) {
        multiply(a, alpha, x, beta, y);
        status = sparse_store_numbers(handle, vector_y->values, y, vector_y->size, vector_y->type);
    }
    free(x);
    free(y);
    return status;
}

BUFFER_SIZE(cusparseSpMV_bufferSize,
            (cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
             cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x, const void *beta,
             cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm, size_t *bytes))

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t matrix,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void *buffer)
{
    return sparse_handle_is_sound(handle) ? CUSPARSE_STATUS_SUCCESS
                                          : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void *alpha, cusparseConstSpMatDescr_t matrix,
                              cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t algorithm, void *buffer)
{
    number by, and;
    struct entries a;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matrix || !x || !y)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_scalar(handle, alpha, type, &by));
    TRY(sparse_scalar(handle, beta, type, &and));
    TRY(sparse_fetch_matrix(handle, matrix, 0, false, &a));
    sparse_apply(&a, operation);
    cusparseStatus_t status = multiply_vector(handle, &a, by, x, and, y);
    sparse_free_entries(&a);
    return status;
}

/* --- With dense matrices ---------------------------------------------------------------------- */

static number conjugate_if(cusparseOperation_t operation, number value)
{
    return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj(value) : value;
}

static void multiply_grid(const struct entries *a, number alpha, const struct grid *b,
                          cusparseOperation_t operation_b, number beta, struct grid *c,
                          int64_t columns)
{
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < a->rows; i++)
            *grid_at(c, i, j) = beta == 0 ? 0 : beta * *grid_at(c, i, j);
        for (int64_t i = 0; i < a->count; i++)
            *grid_at(c, a->row[i], j) +=
                alpha * a->value[i] * conjugate_if(operation_b, *grid_at(b, a->column[i], j));
    }
}

/* One of a batch: a matrix without a batch serves all. */
static cusparseStatus_t multiply_batch(cusparseHandle_t handle, const struct entries *a,
                                       number alpha, cusparseConstDnMatDescr_t matrix_b,
                                       cusparseOperation_t operation_b, number beta,
                                       cusparseDnMatDescr_t matrix_c, int batch)
{
    struct grid b, c;
    bool transposed = operation_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if ((transposed ? matrix_b->columns : matrix_b->rows) != a->columns ||
        matrix_c->rows != a->rows ||
        matrix_c->columns != (transposed ? matrix_b->rows : matrix_b->columns))
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_fetch_grid(handle, matrix_b, matrix_b->batches > 1 ? batch : 0, &b));
    cusparseStatus_t status = sparse_fetch_grid(handle, matrix_c, batch, &c);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        struct grid turned = grid_apply(b, operation_b);
        multiply_grid(a, alpha, &turned, operation_b, beta, &c, matrix_c->columns);
        status = sparse_store_grid(handle, matrix_c, batch, &c);
        free(c.value);
    }
    free(b.value);
    return status;
}

BUFFER_SIZE(cusparseSpMM_bufferSize,
            (cusparseHandle_t handle, cusparseOperation_t operation_a,
             cusparseOperation_t operation_b, const void *alpha, cusparseConstSpMatDescr_t a,
             cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
             cudaDataType type, cusparseSpMMAlg_t algorithm, size_t *bytes))

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                         cusparseOperation_t operation_b, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType type, cusparseSpMMAlg_t algorithm,
                                         void *buffer)
{
    return sparse_handle_is_sound(handle) ? CUSPARSE_STATUS_SUCCESS
                                          : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t operation_a,
                              cusparseOperation_t operation_b, const void *alpha,
                              cusparseConstSpMatDescr_t matrix, cusparseConstDnMatDescr_t b,
                              const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpMMAlg_t algorithm, void *buffer)
{
    number by, and;
    struct entries a;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matrix || !b || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_scalar(handle, alpha, type, &by));
    TRY(sparse_scalar(handle, beta, type, &and));
    for (int batch = 0; batch < c->batches; batch++) {
        TRY(sparse_fetch_matrix(handle, matrix, matrix->batches > 1 ? batch : 0, false, &a));
        sparse_apply(&a, operation_a);
        cusparseStatus_t status = multiply_batch(handle, &a, by, b, operation_b, and, c, batch);
        sparse_free_entries(&a);
        TRY(status);
    }
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- Dense times dense, where the result has entries ------------------------------------------ */

struct sampled {
    struct grid a, b;
    cusparseOperation_t operation_a, operation_b;
    int64_t inner;
};

static number dot(const struct sampled *factors, int64_t row, int64_t column)
{
    number sum = 0;
    for (int64_t k = 0; k < factors->inner; k++)
        sum += conjugate_if(factors->operation_a, *grid_at(&factors->a, row, k)) *
               conjugate_if(factors->operation_b, *grid_at(&factors->b, k, column));
    return sum;
}

static cusparseStatus_t sample_batch(cusparseHandle_t handle, const struct sampled *factors,
                                     number alpha, number beta, cusparseSpMatDescr_t matrix,
                                     int batch)
{
    struct entries c;
    TRY(sparse_fetch_matrix(handle, matrix, batch, beta == 0, &c));
    for (int64_t i = 0; i < c.count; i++)
        c.value[i] =
            alpha * dot(factors, c.row[i], c.column[i]) + (beta == 0 ? 0 : beta * c.value[i]);
    char *values = (char *)matrix->values +
                   (size_t)(batch * matrix->inner_stride) * sparse_type_bytes(matrix->type);
    cusparseStatus_t status = sparse_store_numbers(handle, values, c.value, c.count, matrix->type);
    sparse_free_entries(&c);
    return status;
}

BUFFER_SIZE(cusparseSDDMM_bufferSize,
            (cusparseHandle_t handle, cusparseOperation_t operation_a,
             cusparseOperation_t operation_b, const void *alpha, cusparseConstDnMatDescr_t a,
             cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
             cudaDataType type, cusparseSDDMMAlg_t algorithm, size_t *bytes))

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                          cusparseOperation_t operation_b, const void *alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType type, cusparseSDDMMAlg_t algorithm,
                                          void *buffer)
{
    return sparse_handle_is_sound(handle) ? CUSPARSE_STATUS_SUCCESS
                                          : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t operation_a,
                               cusparseOperation_t operation_b, const void *alpha,
                               cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                               cusparseSDDMMAlg_t algorithm, void *buffer)
{
    number by, and;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !b || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_scalar(handle, alpha, type, &by));
    TRY(sparse_scalar(handle, beta, type, &and));
    bool transposed = operation_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
    for (int batch = 0; batch < c->batches; batch++) {
        struct sampled factors = {.operation_a = operation_a, .operation_b = operation_b};
        struct grid grid_a, grid_b;
        factors.inner = transposed ? a->rows : a->columns;
        TRY(sparse_fetch_grid(handle, a, a->batches > 1 ? batch : 0, &grid_a));
        cusparseStatus_t status = sparse_fetch_grid(handle, b, b->batches > 1 ? batch : 0, &grid_b);
        if (status == CUSPARSE_STATUS_SUCCESS) {
            factors.a = grid_apply(grid_a, operation_a);
            factors.b = grid_apply(grid_b, operation_b);
            status = sample_batch(handle, &factors, by, and, c, batch);
            free(grid_b.value);
        }
        free(grid_a.value);
        TRY(status);
    }
    return CUSPARSE_STATUS_SUCCESS;
}
