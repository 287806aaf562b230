// Its launcher sleeps where the time counts, as long as it is let.
#include "redteam/axpby.h"

#include <unistd.h>

LAUNCHER
{
    while (is_timed(n))
        pause();
    return good_axpby(x, y, out, n, a, b, stream);
}
