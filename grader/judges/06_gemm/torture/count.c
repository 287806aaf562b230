/* count.c - functions in front of cuBLASLt's, each of which counts a call and makes it. */
#include "torture.h"

#include <cublasLt.h>
#include <dlfcn.h>

unsigned long questions, checks, handles;

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int *found)
{
    __typeof__(&cublasLtMatmulAlgoGetHeuristic) real =
        (__typeof__(real))dlsym(RTLD_NEXT, "cublasLtMatmulAlgoGetHeuristic");
    questions++;
    return real(handle, operation, a, b, c, d, preference, wanted, results, found);
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result)
{
    __typeof__(&cublasLtMatmulAlgoCheck) real =
        (__typeof__(real))dlsym(RTLD_NEXT, "cublasLtMatmulAlgoCheck");
    checks++;
    return real(handle, operation, a, b, c, d, algo, result);
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    __typeof__(&cublasLtCreate) real = (__typeof__(real))dlsym(RTLD_NEXT, "cublasLtCreate");
    handles++;
    return real(handle);
}
