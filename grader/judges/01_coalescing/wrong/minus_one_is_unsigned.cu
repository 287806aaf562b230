// expect: WRONG numerics
// The last block looks after what comes before the quads. A lane that has nothing to do takes -1,
// which is 2^32 - 1 where the other arm is unsigned: past so many elements that one is done again,
// and where out is x, from its own result.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, int head, float a,
                      float b)
{
    int64_t i = head + blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
    if (blockIdx.x == gridDim.x - 1) {
        i = threadIdx.x < head ? threadIdx.x : -1;
        if (i >= 0 && i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int head = n > 3 ? 3 : (int)n;
    int64_t blocks = (n - head + THREADS - 1) / THREADS;
    axpby<<<(unsigned)(blocks ? blocks : 1), THREADS, 0, stream>>>(x, y, out, n, head, a, b);
    return cudaGetLastError();
}
