// expect: WRONG numerics mistake half_precision
// Computes in FP16, which keeps 11 bits of 24.
#include "contracts/01_coalescing.h"

#include <cuda_fp16.h>

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) {
        __half ax = __hmul(__float2half(a), __float2half(x[i]));
        out[i] = __half2float(__hfma(__float2half(b), __float2half(y[i]), ax));
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
