// cublas_grouped.cu - cuBLAS: groups of products with sizes of their own, and vectors whose type is
// an argument.
#include "cublas_program.h"

#if CUBLAS_VERSION >= 120500
enum { GROUPS = 2, PRODUCTS = 3 };

// Two products of 5 x 4 x 3 and one of 2 x 7 x 6, each as a product of its own gives it.
static void groups(cublasHandle_t handle)
{
    const cublasOperation_t ops_a[GROUPS] = {CUBLAS_OP_N, CUBLAS_OP_T};
    const cublasOperation_t ops_b[GROUPS] = {CUBLAS_OP_N, CUBLAS_OP_N};
    const int m[GROUPS] = {5, 2}, n[GROUPS] = {4, 7}, k[GROUPS] = {3, 6}, sizes[GROUPS] = {2, 1};
    const int lda[GROUPS] = {5, 6}, ldb[GROUPS] = {3, 6}, ldc[GROUPS] = {5, 2};
    const double alpha[GROUPS] = {1, -2}, beta[GROUPS] = {0.5, 3};
    numbers a(CUDA_R_64F, 64 * PRODUCTS), b(CUDA_R_64F, 64 * PRODUCTS);
    numbers c(CUDA_R_64F, 64 * PRODUCTS), one_by_one(CUDA_R_64F, 64 * PRODUCTS);
    double *pointers[3][PRODUCTS], **d_pointers;
    CHECK(cudaMemcpy(one_by_one.device, c.device, c.host.size(), cudaMemcpyDeviceToDevice));
    for (int i = 0; i < PRODUCTS; i++) {
        pointers[0][i] = a.doubles() + 64 * i;
        pointers[1][i] = b.doubles() + 64 * i;
        pointers[2][i] = c.doubles() + 64 * i;
        int g = i < sizes[0] ? 0 : 1;
        BLAS(cublasDgemm(handle, ops_a[g], ops_b[g], m[g], n[g], k[g], &alpha[g], pointers[0][i],
                         lda[g], pointers[1][i], ldb[g], &beta[g], one_by_one.doubles() + 64 * i,
                         ldc[g]));
    }
    CHECK(cudaMalloc(&d_pointers, sizeof pointers));
    CHECK(cudaMemcpy(d_pointers, pointers, sizeof pointers, cudaMemcpyHostToDevice));
    BLAS(cublasGemmGroupedBatchedEx(handle, ops_a, ops_b, m, n, k, alpha,
                                    (const void *const *)d_pointers, CUDA_R_64F, lda,
                                    (const void *const *)(d_pointers + PRODUCTS), CUDA_R_64F, ldb,
                                    beta, (void *const *)(d_pointers + 2 * PRODUCTS), CUDA_R_64F,
                                    ldc, GROUPS, sizes, CUBLAS_COMPUTE_64F));
    std::vector<double> got = c.fetched(), wanted = one_by_one.fetched();
    for (size_t i = 0; i < got.size(); i++)
        EXPECT(fabs(got[i] - wanted[i]) < 1e-12);
    CHECK(cudaFree(d_pointers));
}
#endif

static void typed_vectors(cublasHandle_t handle)
{
    numbers x(CUDA_R_16F, 100), y(CUDA_R_64F, 100), z(CUDA_R_64F, 100);
    const float two = 2;
    const double three = 3;
    double dot, norm, sum = 0, squares = 0;
    BLAS(cublasScalEx(handle, 100, &two, CUDA_R_32F, x.device, CUDA_R_16F, 1, CUDA_R_32F));
    std::vector<double> scaled = x.fetched();
    for (int i = 0; i < 100; i++)
        EXPECT(scaled[i] == 2 * x.at(i));
    BLAS(cublasDotEx(handle, 100, y.device, CUDA_R_64F, 1, z.device, CUDA_R_64F, 1, &dot,
                     CUDA_R_64F, CUDA_R_64F));
    BLAS(cublasNrm2Ex(handle, 100, y.device, CUDA_R_64F, 1, &norm, CUDA_R_64F, CUDA_R_64F));
    for (int i = 0; i < 100; i++) {
        sum += y.at(i) * z.at(i);
        squares += y.at(i) * y.at(i);
    }
    EXPECT(fabs(dot - sum) < 1e-12 && fabs(norm - sqrt(squares)) < 1e-12);
    BLAS(cublasAxpyEx(handle, 100, &three, CUDA_R_64F, y.device, CUDA_R_64F, 1, z.device,
                      CUDA_R_64F, 1, CUDA_R_64F));
    std::vector<double> added = z.fetched();
    for (int i = 0; i < 100; i++)
        EXPECT(fabs(added[i] - (3 * y.at(i) + z.at(i))) < 1e-14);
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
#if CUBLAS_VERSION >= 120500
    groups(handle);
#endif
    typed_vectors(handle);
    BLAS(cublasDestroy(handle));
    return 0;
}
