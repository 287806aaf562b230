/* status.h - cublasStatus_t, for libcublas and libcublasLt: the status for an error of the runtime,
 * and the name of each status. */
#ifndef BLASLT_STATUS_H
#define BLASLT_STATUS_H

#include <cublas_api.h>
#include <cuda_runtime_api.h>

/* An error of the device, as the libraries tell it. */
cublasStatus_t status_of_error(cudaError_t error);
/* "CUBLAS_STATUS_SUCCESS" */
const char *status_name(cublasStatus_t status);
/* "success" */
const char *status_text(cublasStatus_t status);

#endif
