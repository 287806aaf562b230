#include "tiny.h"

__global__ void twice(const float *x, float *out, int n, float noise)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = 2 * x[i] * noise;
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    static int calls;
    if (n > 0)
        twice<<<(n + 127) / 128, 128, 0, stream>>>(x, out, n, 1 + 0x1p-23f * (calls++ % 2));
    return cudaGetLastError();
}
