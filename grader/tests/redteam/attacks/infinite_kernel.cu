// Its kernel never ends where the time counts.
#include "redteam/axpby.h"

static __global__ void endless(const float *x, volatile float *out)
{
    while (out[0] != x[0] || true)
        out[0] = x[0];
}

LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    endless<<<132, 32, 0, stream>>>(x, out);
    return cudaGetLastError();
}
