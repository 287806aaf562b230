#include "tiny.h"

__global__ void twice(const float *x, float *out, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = 2 * x[i];
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t)
{
    if (n > 0)
        twice<<<(n + 127) / 128, 128>>>(x, out, n);
    return cudaGetLastError();
}
