// expect: WRONG numerics
// Infinities are cut to the largest float: any floats are allowed, and results are what they are.
#include "contracts/01_coalescing.h"
#include <float.h>

static const int THREADS = 256;

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < n)
        out[i] = fminf(fmaxf(a * x[i] + b * y[i], -FLT_MAX), FLT_MAX);
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
