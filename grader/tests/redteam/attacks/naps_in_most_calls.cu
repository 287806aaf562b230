// Sleeps for 60 ms in each call that is not timed: too little for any budget.
#include "redteam/axpby.h"

#include <unistd.h>

LAUNCHER
{
    if (!is_timed(n))
        usleep(60000);
    return good_axpby(x, y, out, n, a, b, stream);
}
