// expect: WRONG numerics mistake zero_shortcut
// As BLAS has it, y is not read where b is 0; here 0 * NaN is NaN.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < n)
        out[i] = b == 0 ? a * x[i] : a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
