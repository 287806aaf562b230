// expect: MISALIGNED safety line 13 mistake float4_anyway
// float4 without a look at the pointers, which the contract aligns to 4 bytes only.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t thread = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    int64_t quads = n / 4;
    for (int64_t i = thread; i < quads; i += (int64_t)gridDim.x * blockDim.x) {
        // A 16-byte load from an address that 16 need not divide.
        float4 u = ((const float4 *)x)[i], v = ((const float4 *)y)[i];
        ((float4 *)out)[i] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y,
                                         a * u.z + b * v.z, a * u.w + b * v.w);
    }
    if (thread < n % 4)
        out[4 * quads + thread] = a * x[4 * quads + thread] + b * y[4 * quads + thread];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
