#include "tiny.h"

__global__ void twice(const float *x, float *out, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = 2.00001f * x[i];
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<(n + 127) / 128, 128, 0, stream>>>(x, out, n);
    return cudaGetLastError();
}
