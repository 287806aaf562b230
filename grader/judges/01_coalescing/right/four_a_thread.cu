// expect: PASS
// A block takes four times as many elements as it has threads, side by side in each turn.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t first = blockIdx.x * (int64_t)blockDim.x * 4 + threadIdx.x;
#pragma unroll
    for (int turn = 0; turn < 4; turn++) {
        int64_t i = first + turn * blockDim.x;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = (n + 4 * THREADS - 1) / (4 * THREADS);
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
