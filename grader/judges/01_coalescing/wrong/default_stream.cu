// expect: STREAM safety mistake default_stream
// The launch names no stream, so it goes to the default one.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t)
{
    if (n == 0)
        return cudaSuccess;
    unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    axpby<<<blocks, THREADS>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
