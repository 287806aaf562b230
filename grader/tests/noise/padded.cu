// padded.cu - lesson 1's solution, which then does an eighth of its work once more: right, and as
// much slower as that takes.
#define lesson1_axpby once
#include "../../../solutions/01_coalescing/coalescing.cu"
#undef lesson1_axpby

extern "C" cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a,
                                     float b, cudaStream_t stream)
{
    cudaError_t error = once(x, y, out, n, a, b, stream);
    return error == cudaSuccess ? once(x, y, out, n / 8, a, b, stream) : error;
}
