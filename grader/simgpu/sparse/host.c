/* host.c - copies, on the host, of what descriptors name. */
#include "../client/on_host.h"
#include "sparse.h"

#include <complex.h>
#include <string.h>

/* --- Numbers ---------------------------------------------------------------------------------- */

size_t sparse_type_bytes(cudaDataType type)
{
    switch (type) {
    case CUDA_R_8I: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default:
        simgpu_extension()->explain("cuSPARSE's type %d is not supported by the simulated device",
                                    (int)type);
        return 0;
    }
}

static float from_bfloat(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* To nearest, ties to even; a NAN stays one. */
static uint16_t to_bfloat(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

number sparse_number(const void *from, int64_t i, cudaDataType type)
{
    switch (type) {
    case CUDA_R_8I: return ((const int8_t *)from)[i];
    case CUDA_R_32I: return ((const int32_t *)from)[i];
    case CUDA_R_16F: return (double)((const _Float16 *)from)[i];
    case CUDA_R_16BF: return from_bfloat(((const uint16_t *)from)[i]);
    case CUDA_R_32F: return ((const float *)from)[i];
    case CUDA_R_64F: return ((const double *)from)[i];
    case CUDA_C_32F: return ((const float _Complex *)from)[i];
    default: return ((const double _Complex *)from)[i];
    }
}

void sparse_set_number(void *to, int64_t i, cudaDataType type, number value)
{
    switch (type) {
    case CUDA_R_8I: ((int8_t *)to)[i] = (int8_t)creal(value); break;
    case CUDA_R_32I: ((int32_t *)to)[i] = (int32_t)creal(value); break;
    case CUDA_R_16F: ((_Float16 *)to)[i] = (_Float16)creal(value); break;
    case CUDA_R_16BF: ((uint16_t *)to)[i] = to_bfloat((float)creal(value)); break;
    case CUDA_R_32F: ((float *)to)[i] = (float)creal(value); break;
    case CUDA_R_64F: ((double *)to)[i] = creal(value); break;
    case CUDA_C_32F: ((float _Complex *)to)[i] = (float _Complex)value; break;
    default: ((double _Complex *)to)[i] = value;
    }
}

/* --- Bytes ------------------------------------------------------------------------------------ */

void *sparse_fetch(cusparseHandle_t handle, const void *from, size_t bytes)
{
    return on_host_fetch(handle->stream, from, bytes, "cuSPARSE");
}

cusparseStatus_t sparse_store(cusparseHandle_t handle, void *to, const void *from, size_t bytes)
{
    return on_host_store(handle->stream, to, from, bytes, "cuSPARSE")
               ? CUSPARSE_STATUS_SUCCESS
               : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t sparse_scalar(cusparseHandle_t handle, const void *from, cudaDataType type,
                               number *scalar)
{
    size_t bytes = sparse_type_bytes(type);
    if (!bytes)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!from)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (handle->mode == CUSPARSE_POINTER_MODE_HOST) {
        *scalar = sparse_number(from, 0, type);
        return CUSPARSE_STATUS_SUCCESS;
    }
    void *copy = sparse_fetch(handle, from, bytes);
    if (!copy)
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    *scalar = sparse_number(copy, 0, type);
    free(copy);
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- Arrays ----------------------------------------------------------------------------------- */

number *sparse_fetch_numbers(cusparseHandle_t handle, const void *from, int64_t count,
                             cudaDataType type)
{
    size_t bytes = sparse_type_bytes(type);
    void *copy = bytes ? sparse_fetch(handle, from, (size_t)count * bytes) : NULL;
    number *numbers = copy ? calloc((size_t)count + 1, sizeof *numbers) : NULL;
    for (int64_t i = 0; numbers && i < count; i++)
        numbers[i] = sparse_number(copy, i, type);
    free(copy);
    return numbers;
}

cusparseStatus_t sparse_store_numbers(cusparseHandle_t handle, void *to, const number *numbers,
                                      int64_t count, cudaDataType type)
{
    size_t bytes = sparse_type_bytes(type);
    void *copy = bytes ? malloc((size_t)count * bytes + 1) : NULL;
    if (!copy)
        return bytes ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_NOT_SUPPORTED;
    for (int64_t i = 0; i < count; i++)
        sparse_set_number(copy, i, type, numbers[i]);
    cusparseStatus_t status = sparse_store(handle, to, copy, (size_t)count * bytes);
    free(copy);
    return status;
}

static size_t index_bytes(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_64I ? 8 : type == CUSPARSE_INDEX_16U ? 2 : 4;
}

int64_t *sparse_fetch_indices(cusparseHandle_t handle, const void *from, int64_t count,
                              cusparseIndexType_t type, int64_t base)
{
    void *copy = sparse_fetch(handle, from, (size_t)count * index_bytes(type));
    int64_t *indices = copy ? calloc((size_t)count + 1, sizeof *indices) : NULL;
    for (int64_t i = 0; indices && i < count; i++) {
        if (type == CUSPARSE_INDEX_64I)
            indices[i] = ((int64_t *)copy)[i] - base;
        else if (type == CUSPARSE_INDEX_16U)
            indices[i] = ((uint16_t *)copy)[i] - base;
        else
            indices[i] = ((int32_t *)copy)[i] - base;
    }
    free(copy);
    return indices;
}

cusparseStatus_t sparse_store_indices(cusparseHandle_t handle, void *to, const int64_t *indices,
                                      int64_t count, cusparseIndexType_t type, int64_t base)
{
    size_t bytes = (size_t)count * index_bytes(type);
    void *copy = malloc(bytes + 1);
    if (!copy)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    for (int64_t i = 0; i < count; i++) {
        if (type == CUSPARSE_INDEX_64I)
            ((int64_t *)copy)[i] = indices[i] + base;
        else if (type == CUSPARSE_INDEX_16U)
            ((uint16_t *)copy)[i] = (uint16_t)(indices[i] + base);
        else
            ((int32_t *)copy)[i] = (int32_t)(indices[i] + base);
    }
    cusparseStatus_t status = sparse_store(handle, to, copy, bytes);
    free(copy);
    return status;
}
