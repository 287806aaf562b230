/* count.c - stands in front of cuBLASLt: counts a call, and makes it. */
#include "torture.h"

#include <cublasLt.h>
#include <dlfcn.h>

unsigned long questions, handles;

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t results[],
    int *found)
{
    __typeof__(&cublasLtMatmulAlgoGetHeuristic) real =
        (__typeof__(real))dlsym(RTLD_NEXT, "cublasLtMatmulAlgoGetHeuristic");
    questions++;
    return real(handle, operation, a, b, c, d, preference, wanted, results, found);
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    __typeof__(&cublasLtCreate) real = (__typeof__(real))dlsym(RTLD_NEXT, "cublasLtCreate");
    handles++;
    return real(handle);
}
