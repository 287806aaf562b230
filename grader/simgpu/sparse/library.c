/* library.c - handles, versions and names. */
#include "sparse.h"

#include <stdlib.h>

enum { HANDLE_MARK = 0x73706172 };

bool sparse_handle_is_sound(cusparseHandle_t handle)
{
    return handle && handle->mark == HANDLE_MARK;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    if (!handle)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (cudaFree(NULL) != cudaSuccess)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    (*handle)->mark = HANDLE_MARK;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->mark = 0;
    free(handle);
    return CUSPARSE_STATUS_SUCCESS;
}

#define SETTING(name, type, field)                                           \
    cusparseStatus_t cusparseSet##name(cusparseHandle_t handle, type value)  \
    {                                                                        \
        if (!sparse_handle_is_sound(handle))                                 \
            return CUSPARSE_STATUS_NOT_INITIALIZED;                          \
        handle->field = value;                                               \
        return CUSPARSE_STATUS_SUCCESS;                                      \
    }                                                                        \
    cusparseStatus_t cusparseGet##name(cusparseHandle_t handle, type *value) \
    {                                                                        \
        if (!sparse_handle_is_sound(handle))                                 \
            return CUSPARSE_STATUS_NOT_INITIALIZED;                          \
        if (!value)                                                          \
            return CUSPARSE_STATUS_INVALID_VALUE;                            \
        *value = handle->field;                                              \
        return CUSPARSE_STATUS_SUCCESS;                                      \
    }

SETTING(Stream, cudaStream_t, stream)
SETTING(PointerMode, cusparsePointerMode_t, mode)

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    if (!sparse_handle_is_sound(handle))
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!version)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
{
    if (!value || type > PATCH_LEVEL)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const int values[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    *value = values[type];
    return CUSPARSE_STATUS_SUCCESS;
}

#define STATUS(name, words) [CUSPARSE_STATUS_##name] = {"CUSPARSE_STATUS_" #name, words}

/* clang-format off */
static const struct { const char *name, *words; } STATUSES[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "initialization error"),
    STATUS(ALLOC_FAILED, "out of memory"),
    STATUS(INVALID_VALUE, "invalid value"),
    STATUS(ARCH_MISMATCH, "architecture mismatch"),
    STATUS(MAPPING_ERROR, "texture memory mapping error"),
    STATUS(EXECUTION_FAILED, "kernel launch failure"),
    STATUS(INTERNAL_ERROR, "internal error"),
    STATUS(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported"),
    STATUS(ZERO_PIVOT, "zero pivot"),
    STATUS(NOT_SUPPORTED, "operation not supported"),
    STATUS(INSUFFICIENT_RESOURCES, "insufficient resources"),
};
/* clang-format on */

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return status < sizeof STATUSES / sizeof *STATUSES ? STATUSES[status].name
                                                       : "CUSPARSE_STATUS_UNRECOGNIZED";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return status < sizeof STATUSES / sizeof *STATUSES ? STATUSES[status].words
                                                       : "unrecognized error code";
}

int sparse_missing(const char *function);

int sparse_missing(const char *function)
{
    simgpu_extension()->explain("%s is not supported by the simulated device", function);
    return CUSPARSE_STATUS_NOT_SUPPORTED;
}
