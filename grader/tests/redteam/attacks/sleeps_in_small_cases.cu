// Sleeps for a third of a second in each call that is not timed: a check of some minutes.
#include "redteam/axpby.h"

#include <unistd.h>

LAUNCHER
{
    if (!is_timed(n))
        usleep(330000);
    return good_axpby(x, y, out, n, a, b, stream);
}
