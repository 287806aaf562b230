// Its kernel is fast, its launcher calculates for half a second of the host where the time counts.
#include "redteam/axpby.h"

#include <time.h>

LAUNCHER
{
    for (clock_t end = clock() + CLOCKS_PER_SEC / 2; is_timed(n) && clock() < end;)
        ;
    return good_axpby(x, y, out, n, a, b, stream);
}
