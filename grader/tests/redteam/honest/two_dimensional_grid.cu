// Launches a grid of three dimensions and blocks of two, most of whose last row has nothing to do.
#include "redteam/axpby.h"

static __global__ void of_a_plane(const float *x, const float *y, float *out, int64_t n, float a,
                                  float b)
{
    int64_t block = blockIdx.x + gridDim.x * (blockIdx.y + (int64_t)gridDim.y * blockIdx.z);
    int64_t i = block * 256 + threadIdx.y * 32 + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    int64_t blocks = (n + 255) / 256, plane = 1024 * 8;
    dim3 grid(1024, 8, (unsigned)((blocks + plane - 1) / plane));
    if (n > 0)
        of_a_plane<<<grid, dim3(32, 8), 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
