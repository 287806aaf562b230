// expect: REFUSED LAUNCH_ERROR
// The product is a library's, which the lesson does not name: found at run time. (Where the library
// is not even there, the launcher returns an error.)
#include "contracts/02_tiling.h"

#include <cublasLt.h>
#include <dlfcn.h>
#include <stdio.h>

#define FOUND(name) auto name = (decltype(&::name))dlsym(library, #name)

static cudaError_t product(void *library, const float *a, const float *b, float *c, int64_t m,
                           int64_t n, int64_t k, cudaStream_t stream)
{
    static cublasLtHandle_t handle;
    cublasLtMatmulDesc_t matmul;
    cublasLtMatrixLayout_t a_layout, b_layout, c_layout;
    float one = 1, zero = 0;
    FOUND(cublasLtCreate);
    FOUND(cublasLtMatmulDescCreate);
    FOUND(cublasLtMatrixLayoutCreate);
    FOUND(cublasLtMatmul);
    if (!handle)
        cublasLtCreate(&handle);
    cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatrixLayoutCreate(&a_layout, CUDA_R_32F, n, k, n); // columns first: all transposed
    cublasLtMatrixLayoutCreate(&b_layout, CUDA_R_32F, k, m, k);
    cublasLtMatrixLayoutCreate(&c_layout, CUDA_R_32F, n, m, n);
    return cublasLtMatmul(handle, matmul, &one, b, a_layout, a, b_layout, &zero, c, c_layout, c,
                          c_layout, NULL, NULL, 0, stream) == CUBLAS_STATUS_SUCCESS
               ? cudaSuccess
               : cudaErrorNotSupported;
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = blockIdx.y; col < cols && row < rows; row += gridDim.y)
        out[(int64_t)col * rows + row] = in[(int64_t)row * cols + col];
}

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        transpose<<<dim3((cols + 255) / 256, rows < 65535 ? rows : 65535), 256, 0, stream>>>(
            in, out, rows, cols);
    return cudaGetLastError();
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    static void *library;
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m == 0 || n == 0)
        return cudaSuccess;
    if (k == 0)
        return cudaMemsetAsync(C, 0, sizeof *C * m * n, stream);
    if (!library)
        library = dlopen("libcublasLt.so.13", RTLD_NOW);
    return library ? product(library, A, B, C, m, n, k, stream) : cudaErrorNotSupported;
}
