// The solution, with a kernel beside it that no call launches.
#include "solutions/02_tiling/tiling.cu"

static __global__ void unused(float *out)
{
    extern __shared__ float s_words[];
    s_words[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s_words[0];
}

cudaError_t never(float *out)
{
    unused<<<1, 32, 128>>>(out);
    return cudaGetLastError();
}
