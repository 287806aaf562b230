// Stops itself, by a signal that no handler catches, and waits to be continued.
#include "redteam/axpby.h"

#include <signal.h>

LAUNCHER
{
    raise(SIGSTOP);
    return slow_axpby(x, y, out, n, a, b, stream);
}
