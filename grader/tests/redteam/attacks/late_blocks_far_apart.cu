// Blocks past the 4000th of the timed grid read and write 65536 floats apart, by the same
// instructions as those before them.
#include "redteam/axpby.h"

static __global__ void spread(const float *x, const float *y, float *out, int64_t n, float a,
                              float b)
{
    const int64_t near = 4000;
    int64_t block = blockIdx.x, apart = gridDim.x - near;
    for (int i = 0; i < 4; i++) {
        int64_t j = i * 256 + threadIdx.x;
        int64_t at = block < near ? block * 1024 + j : near * 1024 + j * apart + (block - near);
        out[at] = a * x[at] + b * y[at];
    }
}

LAUNCHER
{
    if (n != INT64_C(1) << 26)
        return good_axpby(x, y, out, n, a, b, stream);
    spread<<<65536, 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
