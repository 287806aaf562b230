// Calculates for 8 ms in each call that is not timed: too little for any budget in seconds.
#include "redteam/axpby.h"

#include <time.h>

LAUNCHER
{
    for (clock_t end = clock() + CLOCKS_PER_SEC / 125; !is_timed(n) && clock() < end;)
        ;
    return good_axpby(x, y, out, n, a, b, stream);
}
