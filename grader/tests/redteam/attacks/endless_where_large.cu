// Never ends for n > 2^22, in a grid of few blocks: "its blocks take too long" to be sampled.
#include "redteam/axpby.h"
static __device__ int go_on = 1;
static __global__ void endless(float *out)
{
    int i = threadIdx.x;
    while (go_on + i >= 0)
        i = (i + 1) & 1023;
    out[0] = i;
}
LAUNCHER
{
    if (n <= 1 << 22)
        return good_axpby(x, y, out, n, a, b, stream);
    endless<<<32, 256, 0, stream>>>(out);
    return cudaGetLastError();
}
