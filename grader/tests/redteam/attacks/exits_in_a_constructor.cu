// Ends with status 0 before anything was asked: a status is no verdict.
#include "redteam/axpby.h"

#include <unistd.h>

__attribute__((constructor)) static void leave(void)
{
    _exit(0);
}

LAUNCHER
{
    return slow_axpby(x, y, out, n, a, b, stream);
}
