#include "tiny.h"

__global__ void twice(const float *x, float *out, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (2 * i + 1 < n)
        *(float2 *)(out + 2 * i) = make_float2(2 * x[2 * i], 2 * x[2 * i + 1]);
    else if (2 * i < n)
        out[2 * i] = 2 * x[2 * i];
}

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<(n + 127) / 128, 128, 0, stream>>>(x, out, n);
    return cudaGetLastError();
}
