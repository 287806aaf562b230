// Every thread adds to the same word of its own memory, which the memory can do one at a time.
#include "redteam/axpby.h"

static __device__ unsigned word;

static __global__ void counts(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        if (atomicAdd(&word, threadIdx.x) == 0xFFFFFFFF)
            return;
        out[i] = a * x[i] + b * y[i];
    }
}

LAUNCHER
{
    if (n > 0)
        counts<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
