// Its launcher never returns, and ignores the signal that its time is up.
#include "redteam/axpby.h"

#include <signal.h>

LAUNCHER
{
    signal(SIGXCPU, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    for (volatile bool on = true; on;)
        ;
    return slow_axpby(x, y, out, n, a, b, stream);
}
