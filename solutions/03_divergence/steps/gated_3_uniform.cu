// Gated, step 3: a branch that a whole warp decides alike.
//
// Changed: two warps share 64 elements; the first takes the 32 even ones, the second the 32 odd
// ones. The branch stays and costs nothing, since no warp is of two minds.
// Expected: half the instructions. But neighbouring lanes are now 8 bytes apart, so each load and
// store touches 8 sectors and uses half of each: right for the arithmetic, wrong for the memory.
// Next: ../divergence.cu gives each thread one element of both kinds.
#include "contracts/03_divergence.h"

enum { WARP_LANES = 32, BLOCK_THREADS = 256 };

static __global__ void gated(const float *x, float *y, int64_t n)
{
    int64_t thread = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    int64_t warp = thread / WARP_LANES;
    int64_t i = warp / 2 * (2 * WARP_LANES) + 2 * (thread % WARP_LANES) + warp % 2;
    if (i >= n)
        return;
    if (warp % 2 == 0)
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
