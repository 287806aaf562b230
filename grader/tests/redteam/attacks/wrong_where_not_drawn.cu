// Blocks that are not among the fixed draw of the timed case store garbage, 94 % of the output.
#include "redteam/axpby.h"
static __constant__ short DRAWN[] = {
    0,   14,  49,  59,  82,  116, 129, 138, 146, 170, 201, 252, 267, 275, 278, 297, 298, 322, 359,
    384, 386, 401, 407, 410, 418, 488, 494, 500, 534, 542, 560, 577, 586, 603, 645, 662, 674, 679,
    697, 710, 715, 717, 721, 725, 727, 732, 773, 792, 806, 848, 880, 927, 929, 938, 970, 1055};
static __global__ void uneven(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    bool drawn = false;
    for (int i = 0; i < sizeof DRAWN / sizeof *DRAWN; i++)
        drawn |= DRAWN[i] == blockIdx.x;
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = drawn ? a * x[i] + b * y[i] : 42;
}
LAUNCHER
{
    if (n != 1 << 26)
        return good_axpby(x, y, out, n, a, b, stream);
    uneven<<<1056, 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
