// expect: SLOW counters
// What is not aligned is copied to where it is, in memory that the call allocates.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    float *d_aligned = NULL;
    if ((uintptr_t)x % sizeof(float4)) {
        cudaError_t error = cudaMallocAsync(&d_aligned, n * sizeof(float), stream);
        if (error != cudaSuccess)
            return error;
        cudaMemcpyAsync(d_aligned, x, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
        x = d_aligned;
    }
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    if (d_aligned)
        cudaFreeAsync(d_aligned, stream);
    return cudaGetLastError();
}
