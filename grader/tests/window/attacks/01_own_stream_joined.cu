// expect: PASS
// An honest oddity: an own stream, which waits for the one given, and which that one waits for
// at the end.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    static cudaStream_t own;
    static cudaEvent_t begun, done;
    if (n == 0)
        return cudaSuccess;
    if (!own) {
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaEventCreate(&begun);
        cudaEventCreate(&done);
    }
    cudaError_t error = cudaEventRecord(begun, stream);
    if (error != cudaSuccess)
        return error;
    cudaStreamWaitEvent(own, begun, 0);
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, own>>>(x, y, out, n, a, b);
    cudaEventRecord(done, own);
    cudaStreamWaitEvent(stream, done, 0);
    return cudaGetLastError();
}
