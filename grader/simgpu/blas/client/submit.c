/* submit.c - from the library to the device: work, scalars, and results. */
#include "../../client/on_host.h"
#include "handle.h"

#include <string.h>

cublasStatus_t blas_queue(cublasHandle_t handle, enum request_kind kind, const void *payload,
                          uint64_t bytes)
{
    struct call call = {.request = {.kind = kind}, .fd = -1};
    call.payload = payload;
    call.payload_bytes = bytes;
    return status_of_error(
        simgpu_extension()->submit(handle->stream, &call, &call.request.library.stream));
}

cublasStatus_t blas_submit(cublasHandle_t handle, const struct blas_call *call)
{
    return blas_queue(handle, REQUEST_BLAS, call, sizeof *call);
}

/* The address of what comes after the first of a batch. */
static uint64_t advanced(const struct blas_call *call, uint64_t address, int64_t stride,
                         int64_t first)
{
    uint64_t step = call->flags & BLAS_POINTERS ? sizeof(void *)
                                                : (uint64_t)stride * blas_type_bytes(call->type);
    return address ? address + (uint64_t)first * step : 0;
}

cublasStatus_t blas_submit_batch(cublasHandle_t handle, const struct blas_call *call, int64_t count,
                                 bool pointers)
{
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (int64_t first = 0; first < count && status == CUBLAS_STATUS_SUCCESS;
         first += BLAS_MOST_BATCHES) {
        struct blas_call some = *call;
        int64_t left = count - first;
        some.batches = (uint32_t)(left < BLAS_MOST_BATCHES ? left : BLAS_MOST_BATCHES);
        some.flags |= pointers ? BLAS_POINTERS : 0;
        some.x.address = advanced(&some, call->x.address, call->x.stride, first);
        some.y.address = advanced(&some, call->y.address, call->y.stride, first);
        some.a.address = advanced(&some, call->a.address, call->a.stride, first);
        some.c.address = advanced(&some, call->c.address, call->c.stride, first);
        status = blas_submit(handle, &some);
    }
    return status;
}

cublasStatus_t blas_submit_result(cublasHandle_t handle, struct blas_call *call, void *result,
                                  size_t bytes)
{
    bool to_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    call->result = blas_address(to_host ? handle->scratch : result);
    cublasStatus_t status = blas_submit(handle, call);
    if (status != CUBLAS_STATUS_SUCCESS || !to_host)
        return status;
    cudaError_t error =
        cudaMemcpyAsync(result, handle->scratch, bytes, cudaMemcpyDeviceToHost, handle->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(handle->stream);
    return status_of_error(error);
}

double blas_value(const void *pointer, cudaDataType type)
{
    if (type == CUDA_R_64F || type == CUDA_C_64F) {
        double value;
        memcpy(&value, pointer, sizeof value);
        return value;
    }
    if (type == CUDA_R_16F) {
        _Float16 value;
        memcpy(&value, pointer, sizeof value);
        return (double)value;
    }
    if (type == CUDA_R_16BF) {
        uint16_t half;
        memcpy(&half, pointer, sizeof half);
        uint32_t bits = (uint32_t)half << 16;
        return (double)*(float *)memcpy(&(float){0}, &bits, sizeof bits);
    }
    if (type == CUDA_R_32I) {
        int32_t value;
        memcpy(&value, pointer, sizeof value);
        return value;
    }
    float value;
    memcpy(&value, pointer, sizeof value);
    return (double)value;
}

struct blas_scalar blas_scalar_of(cublasHandle_t handle, const void *pointer, cudaDataType type)
{
    if (!pointer)
        return (struct blas_scalar){0};
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return (struct blas_scalar){.address = blas_address(pointer), .type = (uint64_t)type};
    struct blas_scalar scalar = {.value = blas_value(pointer, type)};
    if (type == CUDA_C_64F)
        scalar.imaginary = blas_value((const double *)pointer + 1, type);
    if (type == CUDA_C_32F)
        scalar.imaginary = blas_value((const float *)pointer + 1, type);
    return scalar;
}

cublasStatus_t blas_check_no_capture(cublasHandle_t handle, const char *function)
{
    return on_host_refuses_capture(handle->stream, function) ? CUBLAS_STATUS_NOT_SUPPORTED
                                                             : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_unsupported(const char *what)
{
    simgpu_extension()->explain("%s is not supported by the simulated device", what);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* Why whole families of functions are not supported; they are recognised by how their names
 * begin. */
static const struct {
    const char *beginning, *reason;
} FAMILIES[] = {
    {"cublasInit", "of cuBLAS the API of cublas_v2.h is simulated, not the older one of cublas.h"},
    {"cublasXt", "there is one device: call the function without Xt"},
};

cublasStatus_t blas_missing(const char *function)
{
    const char *reason = NULL;
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES && !reason; i++)
        if (strncmp(function, FAMILIES[i].beginning, strlen(FAMILIES[i].beginning)) == 0)
            reason = FAMILIES[i].reason;
    if (!reason)
        return blas_unsupported(function);
    simgpu_extension()->explain("%s is not supported by the simulated device: %s", function,
                                reason);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
