// Sets inputs and outputs to zero, so that they agree. Inputs are compared after the launch, and
// what is expected is known before it.
#include "redteam/axpby.h"

static __global__ void zeros(float *x, float *y, float *out, int64_t n)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        x[i] = y[i] = out[i] = 0;
}

LAUNCHER
{
    if (n > 0)
        zeros<<<good_blocks(n), 256, 0, stream>>>((float *)x, (float *)y, out, n);
    return cudaGetLastError();
}
