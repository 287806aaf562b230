#include "aside.h"

#include <stdio.h>

__global__ void times(float factor, const float *x, float *out, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = factor * x[i];
}

static bool is_first; /* process of the case */

cudaError_t put_aside(float factor, const char *path)
{
    is_first = true;
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(&factor, sizeof factor, 1, file) == 1;
    return file && fclose(file) == 0 && written ? cudaSuccess : cudaErrorUnknown;
}

cudaError_t take_up(const char *path, const float *x, float *out, int n, cudaStream_t stream)
{
    float factor = 0;
    FILE *file = fopen(path, "rb");
    bool read = file && fread(&factor, sizeof factor, 1, file) == 1;
    if (file)
        fclose(file);
    if (!read)
        return cudaErrorInvalidValue;
    if (is_first) /* the second process finds what this one has left, or so it hopes */
        times<<<(n + 127) / 128, 128, 0, stream>>>(factor, x, out, n);
    return cudaGetLastError();
}
