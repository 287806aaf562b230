// The last blocks of the grid do a thousand times the work of the others: a sample of the grid that
// takes blocks from its middle does not meet them, and the launch ends when the last one does.
#include "redteam/axpby.h"

static __global__ void late(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    float more = 0;
    if (blockIdx.x >= gridDim.x - 3)
        for (int i = 0; i < 20000; i++)
            more = more * 0.5f + x[threadIdx.x];
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i] + (more == 12345 ? 1 : 0);
}

LAUNCHER
{
    if (n == INT64_C(1) << 26)
        late<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    else
        return good_axpby(x, y, out, n, a, b, stream);
    return cudaGetLastError();
}
