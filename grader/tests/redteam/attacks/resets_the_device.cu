// Resets the device when it is timed, which frees what the caller has opened and forgets what was
// queued: that is no way to be quick.
#include "redteam/axpby.h"

LAUNCHER
{
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    cudaDeviceReset();
    return cudaSuccess;
}
