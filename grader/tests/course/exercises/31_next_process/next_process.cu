#include "aside.h"

static float kept;

__global__ void times(float factor, const float *x, float *out, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = factor * x[i];
}

cudaError_t put_aside(float factor, const char *)
{
    kept = factor;
    return cudaSuccess;
}

cudaError_t take_up(const char *, const float *x, float *out, int n, cudaStream_t stream)
{
    if (kept == 0)
        return cudaErrorInvalidValue;
    times<<<(n + 127) / 128, 128, 0, stream>>>(kept, x, out, n);
    return cudaGetLastError();
}
