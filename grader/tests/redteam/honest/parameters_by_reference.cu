// Gives its kernel one constant structure, which is read where it lies (__grid_constant__).
#include "redteam/axpby.h"

struct question {
    const float *x, *y;
    float *out;
    int64_t n;
    float factor[2];
};

static __device__ float weighed(const struct question &of, int64_t i)
{
    return of.factor[0] * of.x[i] + of.factor[1] * of.y[i];
}

static __global__ void answer(const __grid_constant__ struct question of)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < of.n; i += gridDim.x * 256LL)
        of.out[i] = weighed(of, i);
}

LAUNCHER
{
    struct question of = {x, y, out, n, {a, b}};
    if (n > 0)
        answer<<<good_blocks(n), 256, 0, stream>>>(of);
    return cudaGetLastError();
}
