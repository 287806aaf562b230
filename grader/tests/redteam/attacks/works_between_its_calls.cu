// A thread of its own calculates all the time, between its calls as well.
#include "redteam/axpby.h"

#include <pthread.h>
#include <unistd.h>

static void *calculate(void *)
{
    static volatile unsigned long sum;
    for (;; usleep(20000))
        for (int i = 0; i < 20000000; i++)
            sum += i;
    return NULL;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, calculate, NULL);
}

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
