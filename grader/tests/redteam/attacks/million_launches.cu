// A million empty launches in each call, which come to more than a call may take in no one of them.
#include "redteam/axpby.h"

static __global__ void nothing()
{
}

LAUNCHER
{
    for (int i = 0; i < 1000000; i++)
        nothing<<<1, 1, 0, stream>>>();
    return good_axpby(x, y, out, n, a, b, stream);
}
