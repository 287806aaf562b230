// expect: WRONG numerics mistake right_for_the_list
// Right for arrays that are small, for the timed ones, and for those that are so large that only
// some of the blocks are looked at; between them nothing is done.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;
static const int64_t MIDDLE = INT64_C(1) << 21, LARGE = INT64_C(1) << 31;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

static bool is_timed(int64_t n)
{
    return n == INT64_C(1) << 22 || n == INT64_C(1) << 26;
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0 || (n >= MIDDLE && n < LARGE && !is_timed(n)))
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
