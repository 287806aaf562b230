// Chooses the operation by a pointer to a device function, in a table in constant memory.
#include "redteam/axpby.h"

static __device__ float plain(float x, float y, float a, float b)
{
    return a * x + b * y;
}
static __device__ float turned(float x, float y, float a, float b)
{
    return b * y + a * x;
}
typedef float operation(float, float, float, float);
static __constant__ operation *const TABLE[] = {plain, turned};

static __global__ void chosen(const float *x, const float *y, float *out, int64_t n, float a,
                              float b, int which)
{
    operation *function = TABLE[which];
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = function(x[i], y[i], a, b);
}

LAUNCHER
{
    if (n > 0)
        chosen<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b, 0);
    return cudaGetLastError();
}
