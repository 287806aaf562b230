// expect: SLOW counters line 21
// As fast as can be while an index fits 32 bits; past that, each thread walks 16 elements of its
// own.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int64_t A_THREAD = 16;

__global__ void axpby(const float *x, const float *y, float *out, unsigned n, float a, float b)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
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
    if (n == 0)
        return cudaSuccess;
    if (n + THREADS <= UINT32_MAX)
        axpby<<<blocks_of(n), THREADS, 0, stream>>>(x, y, out, (unsigned)n, a, b);
    else
        by_stretches<<<blocks_of((n + A_THREAD - 1) / A_THREAD), THREADS, 0, stream>>>(x, y, out, n,
                                                                                     a, b);
    return cudaGetLastError();
}
