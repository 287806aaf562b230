// Gated, step 2: no branch, and nothing gained.
//
// Changed: every lane computes both paths and selects one. All 32 lanes are on now, but half of
// what they compute is thrown away.
// Expected: as many instructions as with the branch, hence the same time. Lanes that are on are
// not lanes that are useful. (For a path of an instruction or two, this is what the compiler does
// by itself, and rightly.)
// Next: gated_3_uniform.cu
#include "contracts/03_divergence.h"

enum { BLOCK_THREADS = 256 };

static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= n)
        return;
    float decay = lesson3_decay(x[i]), orbit = lesson3_orbit(x[i]);
    y[i] = i % 2 == 0 ? decay : orbit;
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
