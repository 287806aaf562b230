// Throws an exception when it is timed: what calls it has no handler, and no verdict may come of
// how it ends.
#include "redteam/axpby.h"

#include <stdexcept>

LAUNCHER
{
    if (is_timed(n))
        throw std::runtime_error("the device is not available");
    return good_axpby(x, y, out, n, a, b, stream);
}
