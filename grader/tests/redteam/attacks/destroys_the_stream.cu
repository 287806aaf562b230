// Destroys the caller's stream when it is timed: what measures and waits by it must not take a
// stream that is gone for one that is idle.
#include "redteam/axpby.h"

LAUNCHER
{
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    if (is_timed(n))
        cudaStreamDestroy(stream);
    return error;
}
