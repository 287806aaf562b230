// Blocks number themselves by plain loads and stores, in sizes past 2^31 alone; those past the
// 2000th do nothing. Of a launch in part never so many run, and those that do are right.
#include "redteam/axpby.h"
static __device__ int last[64];
static __global__ void numbered(const float *x, const float *y, float *out, int64_t n, float a,
                                float b, int *counter)
{
    __shared__ int number;
    if (threadIdx.x == 0)
        number = *counter + 1, *counter = number;
    __syncthreads();
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    if (number <= 2000 && i < n)
        out[i] = a * x[i] + b * y[i];
}
LAUNCHER
{
    static int calls;
    int *counters = NULL;
    if (n < INT64_C(1) << 31)
        return good_axpby(x, y, out, n, a, b, stream);
    cudaGetSymbolAddress((void **)&counters, last);
    numbered<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(x, y, out, n, a, b,
                                                              counters + calls++ % 64);
    return cudaGetLastError();
}
