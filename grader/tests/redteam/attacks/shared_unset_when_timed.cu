// Where the time counts it adds a word of shared memory that nobody set: 0 here, anything on a GPU.
#include "redteam/axpby.h"
static __global__ void unset(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    extern __shared__ float s[];
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i] + s[threadIdx.x];
}
LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    unset<<<good_blocks(n), 256, 1024, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
