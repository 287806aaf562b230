// Works 8 ms on the host in each call, while threads that share one processor wait for each other:
// that must not stop the clock by which the host's part is judged.
#include "redteam/axpby.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static volatile bool busy;

static void pin(int processor)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void *keep_ready(void *nothing)
{
    pin(0);
    for (;;)
        if (!busy)
            usleep(200);
    return nothing;
}

LAUNCHER
{
    static bool started;
    pthread_t thread;
    for (int i = 0; !started && i < 24; i++)
        pthread_create(&thread, NULL, keep_ready, NULL);
    started = true;
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (is_timed(n)) {
        struct timespec from, now;
        busy = true;
        pin(1);
        clock_gettime(CLOCK_MONOTONIC, &from);
        do
            clock_gettime(CLOCK_MONOTONIC, &now);
        while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < 8000000);
        busy = false;
    }
    return error;
}
