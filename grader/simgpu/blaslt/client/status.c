/* status.c - see status.h. */
#include "status.h"

#include <stddef.h>

cublasStatus_t status_of_error(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation: return CUBLAS_STATUS_ALLOC_FAILED;
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable: return CUBLAS_STATUS_NOT_INITIALIZED;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidResourceHandle: return CUBLAS_STATUS_INVALID_VALUE;
    default: return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

/* --- Names ------------------------------------------------------------------------------------ */

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} STATUSES[] = {
#define STATUS(name, text) \
    {                      \
        name, #name, text  \
    }
    STATUS(CUBLAS_STATUS_SUCCESS, "success"),
    STATUS(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
    STATUS(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
    STATUS(CUBLAS_STATUS_INVALID_VALUE, "an invalid value was used as an argument"),
    STATUS(CUBLAS_STATUS_ARCH_MISMATCH, "an absent device architectural feature is required"),
    STATUS(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(CUBLAS_STATUS_EXECUTION_FAILED, "the GPU program failed to execute"),
    STATUS(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed"),
    STATUS(CUBLAS_STATUS_NOT_SUPPORTED, "the functionality requested is not supported"),
    STATUS(CUBLAS_STATUS_LICENSE_ERROR, "the license could not be checked"),
};
enum { STATUS_COUNT = sizeof STATUSES / sizeof *STATUSES };

const char *status_name(cublasStatus_t status)
{
    for (size_t i = 0; i < STATUS_COUNT; i++)
        if (STATUSES[i].status == status)
            return STATUSES[i].name;
    return "CUBLAS_STATUS_UNKNOWN";
}

const char *status_text(cublasStatus_t status)
{
    for (size_t i = 0; i < STATUS_COUNT; i++)
        if (STATUSES[i].status == status)
            return STATUSES[i].text;
    return "unknown error";
}
