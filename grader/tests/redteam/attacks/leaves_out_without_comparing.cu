// One piece of 262,144 is stored over another one where the time counts, by arithmetic alone: no
// comparison says which.
#include "redteam/axpby.h"

static __global__ void all_but_few(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        unsigned piece = (unsigned)(i >> 8), differs = piece ^ 123456u;
        unsigned same = 1u - ((differs | -differs) >> 31);
        int64_t to = i - 256LL * 1056 * same;
        out[to] = a * x[to] + b * y[to];
    }
}

LAUNCHER
{
    if (n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    all_but_few<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
