/* cublas.h - cublasSgemm as a peer: a product in FP32, without tensor cores.
 *
 * The library is loaded by name, since set-up does not ask for it; without it there is no peer, and
 * a line says so. For programs of one file, after bench.h.
 */
#ifndef BENCH_CUBLAS_H
#define BENCH_CUBLAS_H

#include <dlfcn.h>

/* What is needed here of cublas_v2.h. Functions return 0 when all is well. */
enum { CUBLAS_AS_IT_IS = 0, CUBLAS_TURNED = 1, CUBLAS_DEFAULT = 0, CUBLAS_PEDANTIC = 2 };
typedef int cublas_create(void **handle);
typedef int cublas_set_math_mode(void *handle, int mode);
typedef int cublas_sgemm(void *handle, int transpose_a, int transpose_b, int m, int n, int k,
                         const float *alpha, const float *A, int lda, const float *B, int ldb,
                         const float *beta, float *C, int ldc);

static struct {
    void *handle; /* NULL: there is no cuBLAS */
    cublas_set_math_mode *set_math_mode;
    cublas_sgemm *sgemm;
} cublas;

static void cublas_load(void)
{
    void *library = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libcublas.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        printf("no cuBLAS to compare with (put its folder into LD_LIBRARY_PATH): %s\n", dlerror());
        return;
    }
    cublas_create *create = (cublas_create *)dlsym(library, "cublasCreate_v2");
    cublas.set_math_mode = (cublas_set_math_mode *)dlsym(library, "cublasSetMathMode");
    cublas.sgemm = (cublas_sgemm *)dlsym(library, "cublasSgemm_v2");
    if (!create || !cublas.set_math_mode || !cublas.sgemm || create(&cublas.handle) != 0) {
        printf("no cuBLAS to compare with: it does not start on this device\n");
        cublas.handle = NULL;
    }
}

/* C = A B for matrices stored row by row without gaps: m x k, k x n, m x n. cuBLAS thinks in
 * columns: what it takes for C turned = B turned x A turned is ours. */
static bool cublas_row_major(int mode, const float *A, const float *B, float *C, int m, int n,
                             int k)
{
    const float one = 1, zero = 0;
    return cublas.set_math_mode(cublas.handle, mode) == 0 &&
           cublas.sgemm(cublas.handle, CUBLAS_AS_IT_IS, CUBLAS_AS_IT_IS, n, m, k, &one, B, n, A, k,
                        &zero, C, n) == 0;
}

/* C turned = op(A) op(B), where A is stored as k x m, B as k x n and C turned as n x m, all row by
 * row: what cuBLAS takes for A turned and B turned. */
static bool cublas_turned(int mode, const float *A, const float *B, float *C, int m, int n, int k)
{
    const float one = 1, zero = 0;
    return cublas.set_math_mode(cublas.handle, mode) == 0 &&
           cublas.sgemm(cublas.handle, CUBLAS_AS_IT_IS, CUBLAS_TURNED, m, n, k, &one, A, m, B, n,
                        &zero, C, m) == 0;
}

#endif
