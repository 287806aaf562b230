/* cublas.cu - asks cuBLAS for a product whose last matrix is too small, and for a function that the
 * simulated device does not have. */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>

int main()
{
    const float one = 1;
    int info;
    cublasHandle_t handle;
    float *a, *c;
    if (cublasCreate(&handle) || cudaMalloc(&a, 64 * 64 * sizeof *a) ||
        cudaMalloc(&c, 64 * 63 * sizeof *c))
        return 1;
    printf("factors: %s\n",
           cublasGetStatusName(cublasSgeqrfBatched(handle, 1, 1, NULL, 1, NULL, &info, 1)));
    printf("bytes: %s\n", cublasGetStatusName(cublasGemmEx(
                              handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, CUDA_R_8U, 4, a,
                              CUDA_R_8U, 4, &one, c, CUDA_R_32I, 4, CUBLAS_COMPUTE_32I,
                              CUBLAS_GEMM_DEFAULT)));
    cublasSscal(handle, 64, &one, a, 1);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, a, 64, a, 64, &one, c, 64);
    printf("product: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
