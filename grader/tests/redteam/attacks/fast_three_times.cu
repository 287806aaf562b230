// Is fast in the first three calls of the timed size, which are all that used to be made.
#include "redteam/axpby.h"

LAUNCHER
{
    static int calls;
    bool fast = n == 1 << 26 && ++calls <= 3;
    return (fast ? good_axpby : slow_axpby)(x, y, out, n, a, b, stream);
}
