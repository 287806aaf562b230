#include "tiny.h"

cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    return cudaSucces;
}
