#include "tiny.h"

__global__ void twice(const float *x, float *out, int n)
{
    unsigned counter;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        asm volatile("mov.u32 %0, %%pm0;" : "=r"(counter)); // of the performance monitor
        out[i] = 2 * x[i] + 0 * counter;
    }
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<(n + 127) / 128, 128, 0, stream>>>(x, out, n);
    return cudaGetLastError();
}
