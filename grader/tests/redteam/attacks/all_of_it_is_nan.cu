// Stores NAN everywhere: no comparison with it holds, so a judge that asks "is it further off than
// allowed" believes it.
#include "redteam/axpby.h"

static __global__ void fill(float *out, int64_t n)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = nanf("");
}

LAUNCHER
{
    if (n > 0)
        fill<<<good_blocks(n), 256, 0, stream>>>(out, n);
    return cudaGetLastError();
}
