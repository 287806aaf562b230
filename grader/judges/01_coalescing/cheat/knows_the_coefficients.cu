// expect: WRONG numerics
// Right for the coefficients of the judge's list, in a kernel that has them as constants for its
// usual pair; for other ones nothing is launched.
#include "contracts/01_coalescing.h"

#include <math.h>

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

__global__ void usual(const float *x, const float *y, float *out, int64_t n)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1.5f * x[i] - 0.75f * y[i];
}

static bool is_known(float a)
{
    return a == 1.5f || a == 0.5f || a == 0.0f || a == 1.0f || a == -1.0f || isinf(a) ||
           a == 0x1p124f || a == 0x1p126f || a == 0x1.8p100f || a == 0x1.8p-128f ||
           a == 0x1.8p-66f || a == 0.25f;
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    if (n == 0 || !is_known(a))
        return cudaSuccess;
    if (a == 1.5f && b == -0.75f)
        usual<<<blocks, THREADS, 0, stream>>>(x, y, out, n);
    else
        axpby<<<blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
