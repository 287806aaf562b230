// An unsigned index and length: past 2^32 nothing is written. 1056 blocks are so long that fewer
// than 16 are drawn, and then no gap is claimed.
#include "redteam/axpby.h"
static __device__ int never;
static __global__ void narrow(const float *x, const float *y, float *out, unsigned n, float a,
                              float b)
{

    for (unsigned i = blockIdx.x * 256u + threadIdx.x; i < n; i += gridDim.x * 256u)
        out[i] = a * x[i] + b * y[i];
}
LAUNCHER
{
    if (n > 0)
        narrow<<<good_blocks(n), 256, 0, stream>>>(x, y, out, (unsigned)n, a, b);
    return cudaGetLastError();
}
