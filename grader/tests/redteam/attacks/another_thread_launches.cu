// A thread of its own, made in the first call, launches the slow kernel when it likes; the caller
// launches a good one and does not wait for that.
#include "redteam/axpby.h"

#include <pthread.h>
#include <semaphore.h>

static struct { const float *x, *y; float *out; int64_t n; float a, b; cudaStream_t stream; } job;
static sem_t wake;

static void *works(void *)
{
    for (;;) {
        sem_wait(&wake);
        slow_axpby(job.x, job.y, job.out, job.n, job.a, job.b, job.stream);
    }
    return NULL;
}

LAUNCHER
{
    static pthread_t thread;
    if (!thread) {
        sem_init(&wake, 0, 0);
        pthread_create(&thread, NULL, works, NULL);
    }
    if (n == 0)
        return cudaSuccess;
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    job = {x, y, out, n, a, b, stream};
    sem_post(&wake);
    return cudaSuccess;
}
