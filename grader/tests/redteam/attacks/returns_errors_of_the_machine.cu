// Returns an error that speaks of the machine where its slow kernel would be timed: memory that
// fails, a device that others hold.
#include "redteam/axpby.h"

LAUNCHER
{
    return is_timed(n) ? cudaErrorECCUncorrectable : slow_axpby(x, y, out, n, a, b, stream);
}
