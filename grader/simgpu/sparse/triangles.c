/* triangles.c - systems of equations with a triangle of a sparse matrix. */
#include "sparse.h"

#include <complex.h>
#include <stdlib.h>

/* An analysis keeps nothing: it is only asked for, as the toolkit's is. */
struct cusparseSpSVDescr {
    bool analysed;
};
struct cusparseSpSMDescr {
    bool analysed;
};

struct triangle {
    struct entries entries;
    int64_t *offsets;
    bool lower, unit; /* of op(A) */
};

static void free_triangle(struct triangle *triangle)
{
    sparse_free_entries(&triangle->entries);
    free(triangle->offsets);
}

static cusparseStatus_t fetch_triangle(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                       cusparseOperation_t operation, int batch,
                                       struct triangle *triangle)
{
    if (matrix->rows != matrix->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_fetch_matrix(handle, matrix, batch, false, &triangle->entries));
    sparse_apply(&triangle->entries, operation);
    triangle->lower = (matrix->fill == CUSPARSE_FILL_MODE_LOWER) ==
                      (operation == CUSPARSE_OPERATION_NON_TRANSPOSE);
    triangle->unit = matrix->diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    triangle->offsets = calloc((size_t)matrix->rows + 2, sizeof *triangle->offsets);
    cusparseStatus_t status = triangle->offsets ? sparse_sort(&triangle->entries, triangle->offsets)
                                                : CUSPARSE_STATUS_ALLOC_FAILED;
    if (status != CUSPARSE_STATUS_SUCCESS)
        free_triangle(triangle);
    return status;
}

/* In place, with `step` from one element of x to the next; entries of the other triangle are not
 * looked at. */
static void solve(const struct triangle *triangle, number *x, int64_t step)
{
    const struct entries *a = &triangle->entries;
    for (int64_t k = 0; k < a->rows; k++) {
        int64_t i = triangle->lower ? k : a->rows - 1 - k;
        number sum = x[i * step], diagonal = triangle->unit ? 1 : 0;
        for (int64_t e = triangle->offsets[i]; e < triangle->offsets[i + 1]; e++) {
            int64_t j = a->column[e];
            if (j == i && !triangle->unit)
                diagonal += a->value[e];
            else if (triangle->lower ? j < i : j > i)
                sum -= a->value[e] * x[j * step];
        }
        x[i * step] = sum / diagonal;
    }
}

/* --- One right side --------------------------------------------------------------------------- */

#define DESCRIPTOR(Kind)                                                               \
    cusparseStatus_t cusparse##Kind##_createDescr(cusparse##Kind##Descr_t *descriptor) \
    {                                                                                  \
        if (!descriptor)                                                               \
            return CUSPARSE_STATUS_INVALID_VALUE;                                      \
        *descriptor = calloc(1, sizeof **descriptor);                                  \
        return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;   \
    }                                                                                  \
    cusparseStatus_t cusparse##Kind##_destroyDescr(cusparse##Kind##Descr_t descriptor) \
    {                                                                                  \
        free(descriptor);                                                              \
        return CUSPARSE_STATUS_SUCCESS;                                                \
    }

DESCRIPTOR(SpSV)
DESCRIPTOR(SpSM)

BUFFER_SIZE(cusparseSpSV_bufferSize,
            (cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
             cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
             cudaDataType type, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor,
             size_t *bytes))

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t operation,
                                       const void *alpha, cusparseConstSpMatDescr_t matrix,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType type, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t descriptor, void *buffer)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!descriptor || !matrix || matrix->rows != matrix->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    descriptor->analysed = true;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation,
                                    const void *alpha, cusparseConstSpMatDescr_t matrix,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType type, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t descriptor)
{
    struct triangle triangle;
    number by;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matrix || !x || !y || !descriptor || !descriptor->analysed || x->size != matrix->rows ||
        y->size != matrix->rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_scalar(handle, alpha, type, &by));
    TRY(fetch_triangle(handle, matrix, operation, 0, &triangle));
    cusparseStatus_t status = CUSPARSE_STATUS_EXECUTION_FAILED;
    number *solution = sparse_fetch_numbers(handle, x->values, x->size, x->type);
    if (solution) {
        for (int64_t i = 0; i < x->size; i++)
            solution[i] *= by;
        solve(&triangle, solution, 1);
        status = sparse_store_numbers(handle, y->values, solution, y->size, y->type);
    }
    free(solution);
    free_triangle(&triangle);
    return status;
}

/* --- Several right sides ---------------------------------------------------------------------- */

BUFFER_SIZE(cusparseSpSM_bufferSize,
            (cusparseHandle_t handle, cusparseOperation_t operation_a,
             cusparseOperation_t operation_b, const void *alpha, cusparseConstSpMatDescr_t matrix,
             cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,
             cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor, size_t *bytes))

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                       cusparseOperation_t operation_b, const void *alpha,
                                       cusparseConstSpMatDescr_t matrix,
                                       cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
                                       cudaDataType type, cusparseSpSMAlg_t algorithm,
                                       cusparseSpSMDescr_t descriptor, void *buffer)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!descriptor || !matrix || matrix->rows != matrix->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    descriptor->analysed = true;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t solve_grid(cusparseHandle_t handle, const struct triangle *triangle,
                                   number alpha, const struct grid *b,
                                   cusparseOperation_t operation_b, cusparseDnMatDescr_t matrix_c,
                                   int batch)
{
    struct grid c;
    bool conjugated = operation_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    TRY(sparse_fetch_grid(handle, matrix_c, batch, &c));
    for (int64_t i = 0; i < matrix_c->rows; i++)
        for (int64_t j = 0; j < matrix_c->columns; j++) {
            number value = *grid_at(b, i, j);
            *grid_at(&c, i, j) = alpha * (conjugated ? conj(value) : value);
        }
    for (int64_t j = 0; j < matrix_c->columns; j++)
        solve(triangle, grid_at(&c, 0, j), c.row_step);
    cusparseStatus_t status = sparse_store_grid(handle, matrix_c, batch, &c);
    free(c.value);
    return status;
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                    cusparseOperation_t operation_b, const void *alpha,
                                    cusparseConstSpMatDescr_t matrix, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType type,
                                    cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor)
{
    struct triangle triangle;
    struct grid grid;
    number by;
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matrix || !b || !c || !descriptor || !descriptor->analysed)
        return CUSPARSE_STATUS_INVALID_VALUE;
    bool transposed = operation_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (c->rows != matrix->rows || c->rows != (transposed ? b->columns : b->rows) ||
        c->columns != (transposed ? b->rows : b->columns))
        return CUSPARSE_STATUS_INVALID_VALUE;
    TRY(sparse_scalar(handle, alpha, type, &by));
    for (int batch = 0; batch < c->batches; batch++) {
        TRY(fetch_triangle(handle, matrix, operation_a, matrix->batches > 1 ? batch : 0,
                           &triangle));
        cusparseStatus_t status = sparse_fetch_grid(handle, b, b->batches > 1 ? batch : 0, &grid);
        if (status == CUSPARSE_STATUS_SUCCESS) {
            struct grid turned = grid_apply(grid, operation_b);
            status = solve_grid(handle, &triangle, by, &turned, operation_b, c, batch);
            free(grid.value);
        }
        free_triangle(&triangle);
        TRY(status);
    }
    return CUSPARSE_STATUS_SUCCESS;
}
