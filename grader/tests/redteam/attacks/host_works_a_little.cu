// Its launcher calculates for 15 ms of the host where the time counts, eighty times its kernel.
#include "redteam/axpby.h"

#include <time.h>

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

LAUNCHER
{
    for (double end = now_ms() + 15; is_timed(n) && now_ms() < end;)
        ;
    return good_axpby(x, y, out, n, a, b, stream);
}
