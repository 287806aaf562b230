#include "tiny.h"

__global__ void twice(const float *x, float *out, int n)
{
    unsigned counter = 0;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n > 100 && i % 3 == 1)
        asm volatile("mov.u32 %0, %%pm0;" : "=r"(counter));
    if (i < n)
        out[i] = 2 * x[i] + 1 + 0 * counter;
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<(n + 127) / 128, 128, 0, stream>>>(x, out, n);
    return cudaGetLastError();
}
