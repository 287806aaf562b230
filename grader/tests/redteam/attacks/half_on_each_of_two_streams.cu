// One half on the given stream, the other on its own, at the same time: the clock sees one half.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaStream_t own;
    if (!own)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    int64_t half = n / 2;
    good_axpby(x, y, out, half, a, b, stream);
    return good_axpby(x + half, y + half, out + half, n - half, a, b, own);
}
