// expect: OUTSIDE STREAM
// A thread launches kernels all the time, also between one call and the next. They add nothing to
// the outputs, but to the times of whoever else is on the device.
#include "contracts/01_coalescing.h"

#include <pthread.h>

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

__global__ void spin(unsigned *sink)
{
    for (unsigned i = 0; i < 3000; i++)
        atomicAdd(sink, i);
}

static void *go_on(void *)
{
    cudaStream_t own;
    unsigned *sink;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaMalloc(&sink, sizeof *sink);
    cudaMemset(sink, 0, sizeof *sink);
    for (;;)
        spin<<<1, 32, 0, own>>>(sink);
    return NULL;
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    static pthread_t thread;
    if (!thread)
        pthread_create(&thread, NULL, go_on, NULL);
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
