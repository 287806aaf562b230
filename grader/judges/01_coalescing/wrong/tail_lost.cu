// expect: WRONG numerics mistake tail_lost
// Four elements a thread, and no thread for the last n % 4 of them.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = 4 * (blockIdx.x * (int64_t)blockDim.x + threadIdx.x);
    if (i + 3 < n)
        for (int k = 0; k < 4; k++)
            out[i + k] = a * x[i + k] + b * y[i + k];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    const int64_t A_BLOCK = 4 * THREADS;
    int64_t blocks = (n + A_BLOCK - 1) / A_BLOCK;
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
