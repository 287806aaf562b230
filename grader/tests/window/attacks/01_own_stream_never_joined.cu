// expect: STREAM
// The kernel runs on a stream of its own, which nobody waits for: only the caller's wait for the
// whole device hides that.
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
    static cudaStream_t own;
    if (!own)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, own>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
