// expect: LAUNCH_ERROR TIMEOUT
// Right, but each call sets all the memory that it can get: on a laptop there is not so much. (A
// slow machine comes to the time limit first.)
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
    size_t free_bytes, total_bytes;
    void *memory = NULL;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    if (cudaMalloc(&memory, free_bytes / 2) == cudaSuccess)
        cudaMemsetAsync(memory, 1, free_bytes / 2, stream);
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
