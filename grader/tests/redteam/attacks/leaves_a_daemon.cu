// Leaves processes that have left its session and its group, hold its pipes open and never end.
#include "redteam/axpby.h"

#include <signal.h>
#include <unistd.h>

LAUNCHER
{
    static int left;
    for (; left < 5; left++)
        if (fork() == 0) {
            setsid();
            for (int signal = 1; signal < 32; signal++)
                if (signal != SIGKILL && signal != SIGSTOP)
                    ::signal(signal, SIG_IGN);
            if (fork() == 0)
                for (;;)
                    pause();
            _exit(0);
        }
    return slow_axpby(x, y, out, n, a, b, stream);
}
