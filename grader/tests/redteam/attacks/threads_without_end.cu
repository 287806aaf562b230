// Starts threads until there are no more, each of which sleeps.
#include "redteam/axpby.h"

#include <pthread.h>
#include <unistd.h>

static void *sleeps(void *data)
{
    for (;;)
        pause();
    return data;
}

LAUNCHER
{
    pthread_t thread;
    static int started;
    while (started < 100000 && pthread_create(&thread, NULL, sleeps, NULL) == 0)
        started++;
    return slow_axpby(x, y, out, n, a, b, stream);
}
