#include <cuda_runtime.h>

extern "C" cudaError_t tinny(const float *, float *, int, cudaStream_t)
{
    return cudaSuccess;
}
