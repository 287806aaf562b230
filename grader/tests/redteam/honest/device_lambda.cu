// Hands a functor to a kernel that is a template, with a pack of arrays.
#include "redteam/axpby.h"

struct formula {
    float a, b;
    __device__ float operator()(float x, float y) const { return a * x + b * y; }
};

template <class F, class... T>
static __global__ void each(F function, float *out, int64_t n, const T *...in)
{
    auto of = [&](int64_t i) { return function(in[i]...); };
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL)
        out[i] = of(i);
}

LAUNCHER
{
    if (n > 0)
        each<<<good_blocks(n), 256, 0, stream>>>(formula{a, b}, out, n, x, y);
    return cudaGetLastError();
}
