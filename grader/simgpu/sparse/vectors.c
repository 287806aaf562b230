/* vectors.c - a sparse vector and a dense one. */
#include "sparse.h"

#include <complex.h>
#include <stdlib.h>

/* Both on the host: x[i] belongs to y[place[i]]. */
struct pair {
    int64_t *place;
    number *x, *y;
};

static void free_pair(struct pair *pair)
{
    free(pair->place);
    free(pair->x);
    free(pair->y);
}

static cusparseStatus_t fetch_pair(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                   cusparseConstDnVecDescr_t y, struct pair *pair)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!x || !y)
        return CUSPARSE_STATUS_INVALID_VALUE;
    pair->place = sparse_fetch_indices(handle, x->indices, x->count, x->index_type, x->base);
    pair->x = sparse_fetch_numbers(handle, x->values, x->count, x->type);
    pair->y = sparse_fetch_numbers(handle, y->values, y->size, y->type);
    bool sound = pair->place && pair->x && pair->y;
    for (int64_t i = 0; sound && i < x->count; i++)
        sound = pair->place[i] >= 0 && pair->place[i] < y->size;
    if (sound)
        return CUSPARSE_STATUS_SUCCESS;
    free_pair(pair);
    return CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y)
{
    struct pair pair;
    number by, and;
    TRY(fetch_pair(handle, x, y, &pair));
    cusparseStatus_t status = sparse_scalar(handle, alpha, y->type, &by);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = sparse_scalar(handle, beta, y->type, &and);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        for (int64_t i = 0; i < y->size; i++)
            pair.y[i] = and == 0 ? 0 : and*pair.y[i];
        for (int64_t i = 0; i < x->count; i++)
            pair.y[pair.place[i]] += by * pair.x[i];
        status = sparse_store_numbers(handle, y->values, pair.y, y->size, y->type);
    }
    free_pair(&pair);
    return status;
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x)
{
    struct pair pair;
    TRY(fetch_pair(handle, x, y, &pair));
    for (int64_t i = 0; i < x->count; i++)
        pair.x[i] = pair.y[pair.place[i]];
    cusparseStatus_t status = sparse_store_numbers(handle, x->values, pair.x, x->count, x->type);
    free_pair(&pair);
    return status;
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y)
{
    struct pair pair;
    TRY(fetch_pair(handle, x, y, &pair));
    for (int64_t i = 0; i < x->count; i++)
        pair.y[pair.place[i]] = pair.x[i];
    cusparseStatus_t status = sparse_store_numbers(handle, y->values, pair.y, y->size, y->type);
    free_pair(&pair);
    return status;
}

BUFFER_SIZE(cusparseSpVV_bufferSize,
            (cusparseHandle_t handle, cusparseOperation_t operation, cusparseConstSpVecDescr_t x,
             cusparseConstDnVecDescr_t y, const void *result, cudaDataType type, size_t *bytes))

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t operation,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void *result, cudaDataType type, void *buffer)
{
    struct pair pair;
    number sum = 0;
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    TRY(fetch_pair(handle, x, y, &pair));
    for (int64_t i = 0; i < x->count; i++)
        sum += (operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conj(pair.x[i]) : pair.x[i]) *
               pair.y[pair.place[i]];
    free_pair(&pair);
    if (handle->mode == CUSPARSE_POINTER_MODE_HOST)
        sparse_set_number(result, 0, type, sum);
    else
        status = sparse_store_numbers(handle, result, &sum, 1, type);
    return status;
}
