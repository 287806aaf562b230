// Starts three hundred processes that wait; root is never counted by the limit on processes. They
// must not all start.
#include "redteam/probe.h"

#include <signal.h>

static bool wall_is_open(void)
{
    enum { WANTED = 300 };
    static pid_t child[WANTED];
    int started = 0;
    for (; started < WANTED && (child[started] = fork()) >= 0; started++)
        if (child[started] == 0) {
            pause();
            _exit(0);
        }
    for (int i = 0; i < started; i++)
        kill(child[i], SIGKILL);
    return started == WANTED;
}
