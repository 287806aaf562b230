// expect: WRONG numerics mistake subnormals_flushed
// Writes its products in PTX, with .ftz: what is subnormal becomes 0.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

static __device__ float times(float a, float x)
{
    float product;
    asm("mul.ftz.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(x));
    return product;
}

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = times(a, x[i]) + times(b, y[i]);
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
