// expect: PASS
// As many blocks as the device holds at once; each thread has four loads of either under way.
#include "contracts/01_coalescing.h"

static const int THREADS = 512, EACH = 4;

static __global__ void __launch_bounds__(THREADS)
axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t threads = gridDim.x * (int64_t)THREADS;
    for (int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x; i < n; i += EACH * threads) {
        float u[EACH], v[EACH];
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            u[j] = i + j * threads < n ? x[i + j * threads] : 0;
            v[j] = i + j * threads < n ? y[i + j * threads] : 0;
        }
#pragma unroll
        for (int j = 0; j < EACH; j++)
            if (i + j * threads < n)
                out[i + j * threads] = a * u[j] + b * v[j];
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    int multiprocessors = 0;
    cudaError_t error =
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    int64_t needed = (n + THREADS - 1) / THREADS, most = 4 * (int64_t)multiprocessors;
    if (error != cudaSuccess || n == 0)
        return error;
    axpby<<<(unsigned)(needed < most ? needed : most), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
