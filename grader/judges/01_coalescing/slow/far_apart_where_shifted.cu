// expect: SLOW counters line 25
// As fast as can be where float4 fits; with a pointer that is one element off, each thread walks 16
// elements of its own.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int A_THREAD = 16;

__global__ void by_vectors(const float4 *x, const float4 *y, float4 *out, int64_t quads, float a,
                           float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= quads)
        return;
    float4 p = x[i], q = y[i];
    out[i] = make_float4(a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z,
                         a * p.w + b * q.w);
}

__global__ void by_stretches(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t first = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) * A_THREAD;
    for (int64_t i = first; i < first + A_THREAD && i < n; i++)
        out[i] = a * x[i] + b * y[i];
}

static unsigned blocks_of(int64_t threads)
{
    return (unsigned)((threads + THREADS - 1) / THREADS);
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    if ((((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) % sizeof(float4) | n % 4) == 0)
        by_vectors<<<blocks_of(n / 4), THREADS, 0, stream>>>(
            (const float4 *)x, (const float4 *)y, (float4 *)out, n / 4, a, b);
    else
        by_stretches<<<blocks_of((n + A_THREAD - 1) / A_THREAD), THREADS, 0, stream>>>(x, y, out, n,
                                                                                     a, b);
    return cudaGetLastError();
}
