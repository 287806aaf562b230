// expect: SLOW utilization mistake one_thread_blocks
// A block of one thread still takes a warp of 32 lanes.
#include "contracts/01_coalescing.h"

static const int THREADS = 1;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.y * (int64_t)gridDim.x + blockIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t row = n < (1 << 20) ? n : 1 << 20; // an axis of the grid ends at 2^31
    dim3 grid((unsigned)row, (unsigned)((n + row - 1) / row));
    axpby<<<grid, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
