// Ends the thread that called it when it is timed: the process stays, and nothing answers any more.
#include "redteam/axpby.h"

#include <pthread.h>

LAUNCHER
{
    if (is_timed(n))
        pthread_exit(NULL);
    return good_axpby(x, y, out, n, a, b, stream);
}
