/* handle.c - handles, versions, and the names of statuses. */
#include "blaslt.h"

#include <stdlib.h>

/* The capacity of the heuristics cache, which ours does not need: kept for the getter. */
static size_t cache_capacity = 8192;
static unsigned instructions_mask;

bool handle_is_sound(cublasLtHandle_t handle)
{
    return handle && handle->mark == MARK_HANDLE;
}

cublasStatus_t blaslt_missing(const char *function)
{
    simgpu_extension()->explain("%s is not supported by the simulated device", function);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    struct call note = {.request = {.kind = REQUEST_NOTE}, .fd = -1};
    struct call device = {.request = {.kind = REQUEST_DEVICE}, .fd = -1};
    note.request.note.note = NOTE_CUBLASLT_HANDLE;
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (simgpu_extension()->perform(&note) != cudaSuccess ||
        simgpu_extension()->perform(&device) != cudaSuccess)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = malloc(sizeof **handle);
    if (!*handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    **handle = (struct cublasLtContext){
        .mark = MARK_HANDLE, .multiprocessors = (uint32_t)device.reply.device.multiprocessors};
    return CUBLAS_STATUS_SUCCESS;
}

/* It returns no error for it, but any active capture, in whatever mode, is invalid after this call
 * (seen on an H200 with CUDA 13.0). */
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    if (!handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    simgpu_extension()->spoil_captures();
    handle->mark = 0;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

/* --- What it is ------------------------------------------------------------------------------- */

size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

size_t cublasLtGetCudartVersion(void)
{
    return CUDART_VERSION;
}

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value)
{
    static const int VERSION[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = VERSION[type];
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity)
{
    if (!capacity)
        return CUBLAS_STATUS_INVALID_VALUE;
    *capacity = cache_capacity;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity)
{
    cache_capacity = capacity;
    return CUBLAS_STATUS_SUCCESS;
}

unsigned cublasLtDisableCpuInstructionsSetMask(unsigned mask)
{
    unsigned before = instructions_mask;
    instructions_mask = mask;
    return before;
}

/* --- Names ------------------------------------------------------------------------------------ */

const char *cublasLtGetStatusName(cublasStatus_t status)
{
    return status_name(status);
}

const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return status_text(status);
}
