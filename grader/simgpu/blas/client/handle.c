/* handle.c - handles and what they hold, versions, logging, and the names of statuses. */
#include "handle.h"

#include <stdlib.h>

enum { HANDLE_MARK = 0x63626c73, SCRATCH_BYTES = 256 };

/* The workspace that the library allocates on Hopper GPUs, according to its documentation. */
static const size_t OWN_WORKSPACE_BYTES = (size_t)32 << 20;

bool blas_handle_is_sound(cublasHandle_t handle)
{
    return handle && handle->mark == HANDLE_MARK;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = NULL;
    if (cudaFree(NULL) != cudaSuccess)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    struct cublasContext *made = calloc(1, sizeof *made);
    if (!made)
        return CUBLAS_STATUS_ALLOC_FAILED;
    if (cudaMalloc(&made->own_workspace, OWN_WORKSPACE_BYTES + SCRATCH_BYTES) != cudaSuccess) {
        free(made);
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    made->mark = HANDLE_MARK;
    made->workspace = made->own_workspace;
    made->workspace_bytes = OWN_WORKSPACE_BYTES;
    made->scratch = (char *)made->own_workspace + OWN_WORKSPACE_BYTES;
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

/* It waits for the device, as cudaFree does. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaFree(handle->own_workspace);
    handle->mark = 0;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

/* --- Settings --------------------------------------------------------------------------------- */

/* With a new stream, the library uses its own workspace again. */
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    handle->workspace = handle->own_workspace;
    handle->workspace_bytes = OWN_WORKSPACE_BYTES;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->workspace = workspace;
    handle->workspace_bytes = workspace ? bytes : 0;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    int units = (int)mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (units < 0 || units > 8)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->math_mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->pointer_mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (mode != CUBLAS_ATOMICS_ALLOWED && mode != CUBLAS_ATOMICS_NOT_ALLOWED)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->atomics_mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (count < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->multiprocessors_wanted = count;
    return CUBLAS_STATUS_SUCCESS;
}

/* A getter writes one member of the handle. */
#define GETTER(name, type, member)                          \
    cublasStatus_t name(cublasHandle_t handle, type *value) \
    {                                                       \
        if (!blas_handle_is_sound(handle))                  \
            return CUBLAS_STATUS_NOT_INITIALIZED;           \
        if (!value)                                         \
            return CUBLAS_STATUS_INVALID_VALUE;             \
        *value = handle->member;                            \
        return CUBLAS_STATUS_SUCCESS;                       \
    }

GETTER(cublasGetStream_v2, cudaStream_t, stream)
GETTER(cublasGetMathMode, cublasMath_t, math_mode)
GETTER(cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode)
GETTER(cublasGetAtomicsMode, cublasAtomicsMode_t, atomics_mode)
GETTER(cublasGetSmCountTarget, int, multiprocessors_wanted)

/* --- What it is ------------------------------------------------------------------------------- */

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle; /* may be NULL */
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int VERSION[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = VERSION[type];
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void)
{
    return CUDART_VERSION;
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    return status_name(status);
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return status_text(status);
}

/* --- Logging: there is nothing that ours would log -------------------------------------------- */

static cublasLogCallback log_callback;

cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file)
{
    (void)on, (void)to_stdout, (void)to_stderr, (void)file;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback)
{
    log_callback = callback;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback)
{
    if (!callback)
        return CUBLAS_STATUS_INVALID_VALUE;
    *callback = log_callback;
    return CUBLAS_STATUS_SUCCESS;
}
