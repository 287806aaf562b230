/* transfer.c - copies between host and device, counted in elements and leading dimensions. */
#include "handle.h"

static bool is_sound(int64_t rows, int64_t columns, int64_t element_bytes, int64_t from_ld,
                     int64_t to_ld)
{
    return rows >= 0 && columns >= 0 && element_bytes > 0 && from_ld > 0 && to_ld > 0;
}

/* The copy refuses rows that overlap; cuBLAS reports that in this way. */
static bool overlaps(int64_t rows, int64_t from_ld, int64_t to_ld)
{
    return from_ld < rows || to_ld < rows;
}

static cublasStatus_t status_of(cudaError_t error)
{
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t blas_transfer(int64_t rows, int64_t columns, int64_t element_bytes, const void *from,
                             int64_t from_ld, void *to, int64_t to_ld, enum cudaMemcpyKind kind)
{
    if (!is_sound(rows, columns, element_bytes, from_ld, to_ld))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (overlaps(rows, from_ld, to_ld))
        return CUBLAS_STATUS_MAPPING_ERROR;
    size_t bytes = (size_t)element_bytes;
    return status_of(cudaMemcpy2D(to, (size_t)to_ld * bytes, from, (size_t)from_ld * bytes,
                                  (size_t)rows * bytes, (size_t)columns, kind));
}

cublasStatus_t blas_transfer_async(int64_t rows, int64_t columns, int64_t element_bytes,
                                   const void *from, int64_t from_ld, void *to, int64_t to_ld,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!is_sound(rows, columns, element_bytes, from_ld, to_ld))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (overlaps(rows, from_ld, to_ld))
        return CUBLAS_STATUS_MAPPING_ERROR;
    size_t bytes = (size_t)element_bytes;
    return status_of(cudaMemcpy2DAsync(to, (size_t)to_ld * bytes, from, (size_t)from_ld * bytes,
                                       (size_t)rows * bytes, (size_t)columns, kind, stream));
}
