// expect: WRONG numerics mistake zero_shortcut
// Where all of a warp's y are 0 it leaves them out, and with them the NaN that NaN * 0 is.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    float value = i < n ? y[i] : 0;
    int any = __any_sync(0xFFFFFFFF, value != 0);
    if (i < n)
        out[i] = any ? a * x[i] + b * value : a * x[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    axpby<<<blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
