// expect: SLOW utilization mistake one_block
// The addresses are right, but one block can use only one multiprocessor.
#include "contracts/01_coalescing.h"

static const int THREADS = 1024;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<1, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
