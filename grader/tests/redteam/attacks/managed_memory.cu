// Computes on the host in managed memory, between two kernels that only move data: the arithmetic
// costs no kernel anything. Two kernels and a wait are against the contract.
#include "redteam/axpby.h"

enum { MOST = 1 << 22 };

static __global__ void take(const float *x, const float *y, float *managed, int64_t n)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        managed[i] = x[i];
        managed[i + MOST] = y[i];
    }
}

static __global__ void give(const float *managed, float *out, int64_t n)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = managed[i];
}

static float *managed;

__attribute__((constructor)) static void allocate(void)
{
    cudaMallocManaged(&managed, 2 * MOST * sizeof *managed);
}

LAUNCHER
{
    if (n == 0 || n > MOST || !managed)
        return good_axpby(x, y, out, n, a, b, stream);
    take<<<good_blocks(n), 256, 0, stream>>>(x, y, managed, n);
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
        ;
    for (int64_t i = 0; i < n; i++)
        managed[i] = a * managed[i] + b * managed[i + MOST];
    give<<<good_blocks(n), 256, 0, stream>>>(managed, out, n);
    return cudaGetLastError();
}
