/* matmul.c - cublasLtMatmul: everything is checked before it is queued, so that a wrong call fails
 * at once, even in a capture.
 */
#include "blaslt.h"

#include <string.h>

static uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* alpha and beta have the scale type; the real part, which comes first. */
static double scale_value(const void *pointer, uint32_t type)
{
    if (type == MATMUL_F64 || type == MATMUL_C64) {
        double value;
        memcpy(&value, pointer, sizeof value);
        return value;
    }
    if (type == MATMUL_F16) {
        _Float16 half;
        memcpy(&half, pointer, sizeof half);
        return half;
    }
    if (type == MATMUL_I32) {
        int32_t value;
        memcpy(&value, pointer, sizeof value);
        return value;
    }
    float value;
    memcpy(&value, pointer, sizeof value);
    return value;
}

static double scale_imaginary(const void *pointer, uint32_t type)
{
    return type == MATMUL_C64   ? scale_value((const double *)pointer + 1, type)
           : type == MATMUL_C32 ? scale_value((const float *)pointer + 1, type)
                                : 0;
}

static cublasStatus_t fill_scales(struct matmul_call *call, const struct descriptor *descriptor,
                                  const void *alpha, const void *beta)
{
    if (!alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (descriptor->pointer_mode == CUBLASLT_POINTER_MODE_HOST) {
        call->scale_place = MATMUL_SCALE_HOST;
        call->alpha = scale_value(alpha, call->problem.scale_type);
        call->beta = scale_value(beta, call->problem.scale_type);
        call->alpha_imaginary = scale_imaginary(alpha, call->problem.scale_type);
        call->beta_imaginary = scale_imaginary(beta, call->problem.scale_type);
        return CUBLAS_STATUS_SUCCESS;
    }
    if (call->problem.scale_type == MATMUL_F16)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    call->scale_place = MATMUL_SCALE_DEVICE;
    call->alpha_address = address_of(alpha);
    call->beta_address = address_of(beta);
    return CUBLAS_STATUS_SUCCESS;
}

/* Checks the pointers that the epilogue needs, and C if it is used. */
static cublasStatus_t check_pointers(const struct matmul_call *call)
{
    const uint32_t vector = MATMUL_EPILOGUE_BIAS | MATMUL_EPILOGUE_BGRAD | MATMUL_EPILOGUE_BGRADA |
                            MATMUL_EPILOGUE_BGRADB;
    uint32_t epilogue = call->problem.epilogue;
    bool needs_c =
        call->scale_place == MATMUL_SCALE_DEVICE || call->beta != 0 || call->beta_imaginary != 0;
    if (!call->at.a || !call->at.b || !call->at.d || (needs_c && !call->at.c) ||
        (epilogue & vector && !call->at.bias) || (epilogue & MATMUL_EPILOGUE_AUX && !call->at.aux))
        return CUBLAS_STATUS_INVALID_VALUE;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_algo(const struct matmul_call *call)
{
    struct algo algo;
    uint64_t workspace_bytes;
    if (!algo_open(call->algo, &algo))
        return CUBLAS_STATUS_INVALID_VALUE;
    enum algo_status status = algo_check(&call->problem, &algo, &workspace_bytes);
    if (status != ALGO_OK)
        return (cublasStatus_t)status;
    if (workspace_bytes > call->at.workspace_bytes || (workspace_bytes && !call->at.workspace))
        return CUBLAS_STATUS_INVALID_VALUE;
    return algo_aligned(&call->problem, algo_family(algo.family), call->at.a, call->at.b,
                        call->at.c, call->at.d)
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t queue(const struct matmul_call *matmul, cudaStream_t stream)
{
    struct call call = {.request = {.kind = REQUEST_MATMUL}, .fd = -1};
    call.payload = matmul;
    call.payload_bytes = sizeof *matmul;
    return status_of_error(simgpu_extension()->submit(stream, &call, &call.request.library.stream));
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t compute,
                              const void *alpha, const void *a, cublasLtMatrixLayout_t a_layout,
                              const void *b, cublasLtMatrixLayout_t b_layout, const void *beta,
                              const void *c, cublasLtMatrixLayout_t c_layout, void *d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algo,
                              void *workspace, size_t workspace_bytes, cudaStream_t stream)
{
    struct matmul_call call = {.at = {.a = address_of(a),
                                      .b = address_of(b),
                                      .c = address_of(c),
                                      .d = address_of(d),
                                      .workspace = address_of(workspace),
                                      .workspace_bytes = workspace_bytes}};
    const struct descriptor *descriptor = descriptor_of(compute);
    if (!handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasStatus_t status =
        problem_of(compute, a_layout, b_layout, c_layout, d_layout, &call.problem);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = fill_scales(&call, descriptor, alpha, beta);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    call.at.bias = descriptor->bias;
    call.at.aux = descriptor->aux;
    status = check_pointers(&call);
    if (status == CUBLAS_STATUS_SUCCESS && algo)
        memcpy(call.algo, algo->data, sizeof call.algo);
    else if (status == CUBLAS_STATUS_SUCCESS)
        status = heuristic_default(&call.problem, call.algo);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check_algo(&call);
    return status == CUBLAS_STATUS_SUCCESS ? queue(&call, stream) : status;
}
