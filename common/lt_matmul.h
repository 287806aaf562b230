/* lt_matmul.h - the cuBLASLt calls that a product takes, in the only order in which they work.
 *
 *     lt_describe      what is to be computed: types, shapes, epilogue       (host only, cheap)
 *     lt_candidates    asks the library how                                  (10 to 100 us of host)
 *     lt_run           computes it by one of the answers                     (a few us of host)
 *     lt_forget        frees what lt_describe made
 *
 * Rows and columns. cuBLASLt stores matrices in column-major order. A row-major matrix is its own
 * transpose in column-major order, so nothing has to be moved: instead of Y = op(A) op(B), ask for
 *
 *     Y' = op(B)' op(A)'
 *
 * with the same three pieces of memory. The library's A is then our B, its m is our n; a bias for
 * each column of Y is one for each row of Y', which is where the library's epilogue adds it.
 */
#ifndef LT_MATMUL_H
#define LT_MATMUL_H

#include "contracts/06_gemm.h"

#include <cublasLt.h>

struct lt_matmul {
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t b, a, y; /* in the library's order */
    bool with_bias;
};

/* Does the contract let a caller ask for this? */
static inline bool lt_is_askable(const void *A, const void *B, const void *bias, const void *Y,
                                 const struct quest_gemm *gemm)
{
    if (!A || !B || !Y || !gemm || gemm->m < 1 || gemm->n < 1 || gemm->k < 1 || gemm->save_z)
        return false;
    bool is_fused = gemm->activation == QUEST_ACT_NONE || gemm->activation == QUEST_ACT_RELU ||
                    gemm->activation == QUEST_ACT_GELU_TANH;
    return is_fused && gemm->with_bias == (bias != NULL);
}

/* Elements from one row to the next, as stored. */
struct lt_pitches {
    int64_t a, b, y;
};

/* Without gaps. */
static inline struct lt_pitches lt_packed(const struct quest_gemm *gemm)
{
    struct lt_pitches pitches = {gemm->transpose_a ? gemm->m : gemm->k,
                                 gemm->transpose_b ? gemm->k : gemm->n, gemm->n};
    return pitches;
}

static inline cudaError_t lt_error(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return cudaSuccess;
    case CUBLAS_STATUS_ALLOC_FAILED: return cudaErrorMemoryAllocation;
    case CUBLAS_STATUS_INVALID_VALUE: return cudaErrorInvalidValue;
    case CUBLAS_STATUS_NOT_SUPPORTED: return cudaErrorNotSupported;
    default: return cudaErrorUnknown;
    }
}

static inline void lt_forget(struct lt_matmul *matmul)
{
    cublasLtMatrixLayoutDestroy(matmul->y);
    cublasLtMatrixLayoutDestroy(matmul->a);
    cublasLtMatrixLayoutDestroy(matmul->b);
    cublasLtMatmulDescDestroy(matmul->operation);
    *matmul = lt_matmul();
}

/* The library fuses these and no others. */
static inline cublasLtEpilogue_t lt_epilogue(const struct quest_gemm *gemm)
{
    switch (gemm->activation) {
    case QUEST_ACT_RELU:
        return gemm->with_bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    case QUEST_ACT_GELU_TANH:
        return gemm->with_bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    default: return gemm->with_bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
    }
}

static inline cublasStatus_t lt_set(struct lt_matmul *matmul, cublasLtMatmulDescAttributes_t name,
                                    const void *value, size_t bytes)
{
    return cublasLtMatmulDescSetAttribute(matmul->operation, name, value, bytes);
}

/* Products of 16-bit numbers, summed in FP32. Call lt_forget on matmul afterwards, unless this
 * fails. */
static inline cudaError_t lt_describe(struct lt_matmul *matmul, enum lesson6_type type,
                                      const struct quest_gemm *gemm, struct lt_pitches pitches)
{
    const cudaDataType_t element = type == LESSON6_F16 ? CUDA_R_16F : CUDA_R_16BF;
    const cublasOperation_t op_b = gemm->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t op_a = gemm->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasLtEpilogue_t epilogue = lt_epilogue(gemm);
    const int64_t a_rows = gemm->transpose_a ? gemm->k : gemm->m;
    const int64_t b_rows = gemm->transpose_b ? gemm->n : gemm->k;
    struct lt_pitches row = lt_packed(gemm);
    *matmul = lt_matmul();
    matmul->with_bias = gemm->with_bias;
    cublasStatus_t status =
        cublasLtMatmulDescCreate(&matmul->operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = lt_set(matmul, CUBLASLT_MATMUL_DESC_TRANSA, &op_b, sizeof op_b);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = lt_set(matmul, CUBLASLT_MATMUL_DESC_TRANSB, &op_a, sizeof op_a);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = lt_set(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatrixLayoutCreate(&matmul->b, element, row.b, b_rows, pitches.b);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatrixLayoutCreate(&matmul->a, element, row.a, a_rows, pitches.a);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatrixLayoutCreate(&matmul->y, element, gemm->n, gemm->m, pitches.y);
    if (status != CUBLAS_STATUS_SUCCESS)
        lt_forget(matmul);
    return lt_error(status);
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* What an algorithm may assume. Two defaults of the library hurt: unless told otherwise, it offers
 * nothing that needs a workspace, and assumes that pointers are multiples of 256 bytes. */
struct lt_promise {
    size_t workspace_bytes;
    uint32_t align_a, align_b, align_y; /* bytes; bias counts with y */
};

/* The largest power of two, up to 16, that divides the address: no kernel requires more. */
static inline uint32_t lt_alignment(const void *pointer)
{
    uint32_t alignment = 16;
    while ((uintptr_t)pointer % alignment)
        alignment /= 2;
    return alignment;
}

static inline cublasStatus_t lt_prefer(cublasLtMatmulPreference_t preference,
                                       const struct lt_promise *promise)
{
    /* Parts of a sum that was split are added as FP32, never as 16-bit numbers. */
    const uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    const struct {
        cublasLtMatmulPreferenceAttributes_t name;
        const void *value;
        size_t bytes;
    } SETTINGS[] = {
        {CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &promise->workspace_bytes, sizeof(size_t)},
        {CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions, sizeof reductions},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &promise->align_b, sizeof(uint32_t)},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &promise->align_a, sizeof(uint32_t)},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &promise->align_y, sizeof(uint32_t)},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &promise->align_y, sizeof(uint32_t)},
    };
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS && status == CUBLAS_STATUS_SUCCESS;
         i++)
        status = cublasLtMatmulPreferenceSetAttribute(preference, SETTINGS[i].name,
                                                      SETTINGS[i].value, SETTINGS[i].bytes);
    return status;
}

/* Gets at most room algorithms, the library's best guess first, and *found, how many.
 * cudaErrorNotSupported when there is none. */
static inline cudaError_t lt_candidates(cublasLtHandle_t handle, const struct lt_matmul *matmul,
                                        const struct lt_promise *promise, int room,
                                        cublasLtMatmulHeuristicResult_t *results, int *found)
{
    cublasLtMatmulPreference_t preference;
    *found = 0;
    cublasStatus_t status = cublasLtMatmulPreferenceCreate(&preference);
    if (status != CUBLAS_STATUS_SUCCESS)
        return lt_error(status);
    status = lt_prefer(preference, promise);
    if (status == CUBLAS_STATUS_SUCCESS)
        status =
            cublasLtMatmulAlgoGetHeuristic(handle, matmul->operation, matmul->b, matmul->a,
                                           matmul->y, matmul->y, preference, room, results, found);
    cublasLtMatmulPreferenceDestroy(preference);
    return status == CUBLAS_STATUS_SUCCESS && *found == 0 ? cudaErrorNotSupported
                                                          : lt_error(status);
}

/* --- Running ---------------------------------------------------------------------------------- */

/* Where everything is. */
struct lt_places {
    const void *A, *B, *bias;
    void *Y, *workspace;
    size_t workspace_bytes;
};

/* The pointers belong to the call, not to the description; only the bias has to be in the
 * description. */
static inline cudaError_t lt_run(cublasLtHandle_t handle, struct lt_matmul *matmul,
                                 const cublasLtMatmulAlgo_t *algo, const struct lt_places *at,
                                 cudaStream_t stream)
{
    const float one = 1, zero = 0;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (matmul->with_bias)
        status = lt_set(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &at->bias, sizeof at->bias);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatmul(handle, matmul->operation, &one, at->B, matmul->b, at->A, matmul->a,
                                &zero, at->Y, matmul->y, at->Y, matmul->y, algo, at->workspace,
                                at->workspace_bytes, stream);
    return lt_error(status);
}

/* Can this version of the library, on this device, do it by that algorithm? *workspace_bytes gets
 * what it needs. */
static inline cudaError_t lt_check(cublasLtHandle_t handle, const struct lt_matmul *matmul,
                                   const cublasLtMatmulAlgo_t *algo, size_t *workspace_bytes)
{
    cublasLtMatmulHeuristicResult_t result;
    cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, matmul->operation, matmul->b, matmul->a,
                                                    matmul->y, matmul->y, algo, &result);
    *workspace_bytes = status == CUBLAS_STATUS_SUCCESS ? result.workspaceSize : 0;
    return lt_error(status);
}

#endif
