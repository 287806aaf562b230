// Writes in front of its output, where an error counter of the grader might be.
#include "redteam/axpby.h"

static __global__ void before(float *out)
{
    for (int i = 1; i <= 64; i++)
        out[-i] = 0;
}

LAUNCHER
{
    if (n > 0)
        before<<<1, 1, 0, stream>>>(out);
    return good_axpby(x, y, out, n, a, b, stream);
}
