// 6 of 132 long blocks write zeros past six million elements: 4.5 % of the output.
#include "redteam/axpby.h"

static __global__ void __launch_bounds__(1024)
    persistent(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    bool bad = blockIdx.x >= 40 && blockIdx.x < 46;
    for (int64_t i = blockIdx.x * 1024LL + threadIdx.x; i < n; i += gridDim.x * 1024LL)
        out[i] = bad ? 0 : a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n <= 6000000)
        return good_axpby(x, y, out, n, a, b, stream);
    persistent<<<132, 1024, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
