// Each thread calculates an element of its neighbour's, and gets its own by a shuffle. The output
// may be the input, and a shuffle orders no memory: so the warp meets again before it stores.
#include "redteam/axpby.h"

static __global__ void shuffled(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    unsigned lane = threadIdx.x % 32;
    for (int64_t first = blockIdx.x * 256LL + threadIdx.x - lane; first < n;
         first += gridDim.x * 256LL) {
        int64_t other = first + (lane ^ 1), own = first + lane;
        float value = other < n ? a * x[other] + b * y[other] : 0;
        value = __shfl_xor_sync(~0u, value, 1);
        __syncwarp();
        if (own < n)
            out[own] = value;
    }
}

LAUNCHER
{
    if (n > 0)
        shuffled<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
