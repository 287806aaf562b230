// Sleeps for half a minute when it is loaded.
#include "redteam/axpby.h"

#include <unistd.h>

__attribute__((constructor)) static void sleep_first(void)
{
    sleep(30);
}

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
