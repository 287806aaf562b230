/* front.h - lesson 6, in the runner: stands in front of cuBLASLt, as a program does whose names are
 * found before the library's.
 *
 * It passes every call on. In a script it turns some down, as a library does that finds no memory
 * or has no algorithm, and it counts what was made and is not destroyed yet.
 */
#ifndef JUDGE_GEMM_FRONT_H
#define JUDGE_GEMM_FRONT_H

#include <cublasLt.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

/* What is turned down; a case has it in judge_case.real. */
enum front_down { NOTHING_DOWN, HANDLES_DOWN, DESCRIPTIONS_DOWN, ANSWERS_DOWN, PRODUCTS_DOWN };

static struct front {
    enum front_down down;
    long alive;          /* handles and descriptions */
} front;

static inline void *behind_front(const char *name)
{
    static void *library;
    char file[64];
    snprintf(file, sizeof file, "libcublasLt.so.%d", CUBLAS_VER_MAJOR);
    if (!library)
        library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

/* The library's own function, found once; name is that of the function around it. */
#define BEHIND(name)                                                                           \
    static __typeof__(&name) behind;                                                           \
    if (!behind)                                                                               \
        behind = (__typeof__(behind))behind_front(#name);                                      \
    if (!behind)                                                                               \
    return CUBLAS_STATUS_NOT_INITIALIZED

static inline cublasStatus_t front_made(cublasStatus_t status)
{
    front.alive += status == CUBLAS_STATUS_SUCCESS;
    return status;
}

static inline cublasStatus_t front_destroyed(const void *object, cublasStatus_t status)
{
    front.alive -= object && status == CUBLAS_STATUS_SUCCESS;
    return status;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    BEHIND(cublasLtCreate);
    return front.down == HANDLES_DOWN ? CUBLAS_STATUS_ALLOC_FAILED : front_made(behind(handle));
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    BEHIND(cublasLtDestroy);
    return front_destroyed(handle, behind(handle));
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *operation,
                                        cublasComputeType_t compute, cudaDataType_t scale)
{
    BEHIND(cublasLtMatmulDescCreate);
    return front.down == DESCRIPTIONS_DOWN ? CUBLAS_STATUS_ALLOC_FAILED
                                           : front_made(behind(operation, compute, scale));
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation)
{
    BEHIND(cublasLtMatmulDescDestroy);
    return front_destroyed(operation, behind(operation));
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t pitch)
{
    BEHIND(cublasLtMatrixLayoutCreate);
    return front_made(behind(layout, type, rows, columns, pitch));
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    BEHIND(cublasLtMatrixLayoutDestroy);
    return front_destroyed(layout, behind(layout));
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    BEHIND(cublasLtMatmulPreferenceCreate);
    return front_made(behind(preference));
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    BEHIND(cublasLtMatmulPreferenceDestroy);
    return front_destroyed(preference, behind(preference));
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t results[],
    int *found)
{
    BEHIND(cublasLtMatmulAlgoGetHeuristic);
    if (front.down != ANSWERS_DOWN)
        return behind(handle, operation, a, b, c, d, preference, wanted, results, found);
    *found = 0;
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t a,
                              const void *B, cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D,
                              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algo,
                              void *workspace, size_t workspace_bytes, cudaStream_t stream)
{
    BEHIND(cublasLtMatmul);
    return front.down == PRODUCTS_DOWN
               ? CUBLAS_STATUS_EXECUTION_FAILED
               : behind(handle, operation, alpha, A, a, B, b, beta, C, c, D, d, algo, workspace,
                        workspace_bytes, stream);
}

#endif
