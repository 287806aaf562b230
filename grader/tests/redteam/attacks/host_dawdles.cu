// Its kernel is fast, its launcher sleeps for 300 ms where the time counts.
#include "redteam/axpby.h"

#include <unistd.h>

LAUNCHER
{
    if (is_timed(n))
        usleep(300000);
    return good_axpby(x, y, out, n, a, b, stream);
}
