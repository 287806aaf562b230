// Works on a stream of its own that the given one never waits for: an event on the given stream is
// passed at once.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaStream_t own;
    if (!own)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    (void)stream;
    return good_axpby(x, y, out, n, a, b, own);
}
