// expect: WRONG numerics mistake right_for_the_list
// Right where pointers are aligned or off as in the list, and wrong where y is three elements off
// and another is not.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    bool off = (uintptr_t)y % 16 == 12 && !((uintptr_t)x % 16 == 12 && (uintptr_t)out % 16 == 12);
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a,
                                                                           off ? b + 1 : b);
    return cudaGetLastError();
}
