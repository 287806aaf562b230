#include "tiny.h"

__global__ void twice(const float *x, float *out, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    __shared__ float near[128];
    near[threadIdx.x] = 0;
    __syncthreads();
    near[threadIdx.x] = i < n ? x[i] : 0;
    float next = near[(threadIdx.x + 32) % 128];
    if (i < n)
        out[i] = 2 * x[i] + 0 * next;
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<(n + 127) / 128, 128, 0, stream>>>(x, out, n);
    return cudaGetLastError();
}
