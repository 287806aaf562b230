// expect: SLOW counters mistake two_passes
// One kernel scales x into out, a second adds y to it: out goes to memory and comes back.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void scale(const float *x, float *out, int64_t n, float a)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i];
}

__global__ void add(const float *y, float *out, int64_t n, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    scale<<<blocks, THREADS, 0, stream>>>(x, out, n, a);
    add<<<blocks, THREADS, 0, stream>>>(y, out, n, b);
    return cudaGetLastError();
}
