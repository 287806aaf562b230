// Each block adds itself to a counter that no block reads: an atomic on memory that all share.
#include "redteam/axpby.h"

static __device__ unsigned long long blocks_done;

static __global__ void counted(const float *x, const float *y, float *out, int64_t n, float a,
                               float b)
{
    int64_t i = blockIdx.x * 1024LL + threadIdx.x;
    for (int part = 0; part < 4; part++, i += 256)
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    if (threadIdx.x == 0)
        atomicAdd(&blocks_done, 1ull);
}

LAUNCHER
{
    if (n > 0)
        counted<<<(unsigned)((n + 1023) / 1024), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
