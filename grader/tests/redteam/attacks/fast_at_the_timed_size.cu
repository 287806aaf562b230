// Runs the slow kernel for every n but the one that is timed.
#include "redteam/axpby.h"

LAUNCHER
{
    return (n == 1 << 26 ? good_axpby : slow_axpby)(x, y, out, n, a, b, stream);
}
