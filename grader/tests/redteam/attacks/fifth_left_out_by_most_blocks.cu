// Nine blocks of ten leave out a fifth of their part where the time counts: not all write as
// little, and what they write on average is as uncertain as a guess.
#include "redteam/axpby.h"

static __global__ void most_of_it(const float *x, const float *y, float *out, int64_t n, float a,
                                  float b)
{
    unsigned hash = blockIdx.x * 2654435761u >> 16;
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x, k = 0; i < n; i += gridDim.x * 256LL, k++)
        if (hash % 10 == 0 || k % 5 != 3)
            out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    most_of_it<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
