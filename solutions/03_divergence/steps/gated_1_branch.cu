// Gated, step 1: a branch that neighbours decide differently.
//
// A warp goes through both paths, one after the other, each time with every second lane off: this
// is the exercise as it is handed out.
// Next: gated_2_select.cu
#include "contracts/03_divergence.h"

enum { BLOCK_THREADS = 256 };

static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= n)
        return;
    if (i % 2 == 0)
        y[i] = lesson3_decay(x[i]);
    else
        y[i] = lesson3_orbit(x[i]);
}

cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    if (n < 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
    gated<<<(unsigned)blocks, BLOCK_THREADS, 0, stream>>>(x, y, n);
    return cudaGetLastError();
}
