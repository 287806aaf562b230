#include "tiny.h"

__device__ __noinline__ float deeper(const float *x, int depth)
{
    float kept[64];
    for (int k = 0; k < 64; k++)
        kept[k] = x[0] + depth;
    float below = depth < 0 ? 0 : deeper(x, depth + 1);
    return below + kept[depth & 63];
}

__global__ void twice(const float *x, float *out, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = 2 * x[i] + 0 * deeper(x, n);
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<(n + 127) / 128, 128, 0, stream>>>(x, out, n);
    return cudaGetLastError();
}
