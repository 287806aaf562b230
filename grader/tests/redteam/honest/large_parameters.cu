// Passes four kilobytes of parameters, and an array of pointers in them.
#include "redteam/axpby.h"

struct arguments {
    const float *in[2];
    float *out, coefficient[2], unused[900];
    int64_t n;
};

static __global__ void from_struct(const __grid_constant__ arguments call)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < call.n; i += gridDim.x * 256LL)
        call.out[i] = call.coefficient[0] * call.in[0][i] + call.coefficient[1] * call.in[1][i];
}

LAUNCHER
{
    arguments call = {{x, y}, out, {a, b}, {0}, n};
    if (n > 0)
        from_struct<<<good_blocks(n), 256, 0, stream>>>(call);
    return cudaGetLastError();
}
