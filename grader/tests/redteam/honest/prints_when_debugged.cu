// Has printf in a path that no call takes, and prints a little to the log.
#include "redteam/axpby.h"

#include <stdio.h>

static __global__ void verbose(const float *x, const float *y, float *out, int64_t n, float a,
                               float b, bool debug)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        out[i] = a * x[i] + b * y[i];
        if (debug)
            printf("out[%lld] = %g\n", (long long)i, out[i]);
    }
}

LAUNCHER
{
    static int calls;
    if (calls++ == 0)
        printf("simgpu: first call, n = %lld\n", (long long)n);
    if (n > 0)
        verbose<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b, n == 3);
    return cudaGetLastError();
}
