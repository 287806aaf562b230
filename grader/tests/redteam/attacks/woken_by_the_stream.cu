// A host function on the given stream wakes a thread that launches the work on a stream of its own:
// the given stream has then nothing left to do.
#include "redteam/axpby.h"

#include <pthread.h>
#include <semaphore.h>

static struct {
    const float *x, *y;
    float *out;
    int64_t n;
    float a, b;
    sem_t wake;
} shared;

static void *works(void *data)
{
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    while (sem_wait(&shared.wake) == 0)
        good_axpby(shared.x, shared.y, shared.out, shared.n, shared.a, shared.b, own);
    return data;
}

static void wake(void *data)
{
    sem_post((sem_t *)data);
}

LAUNCHER
{
    static pthread_t thread;
    if (!thread) {
        sem_init(&shared.wake, 0, 0);
        pthread_create(&thread, NULL, works, NULL);
    }
    shared.x = x, shared.y = y, shared.out = out, shared.n = n, shared.a = a, shared.b = b;
    return n > 0 ? cudaLaunchHostFunc(stream, wake, &shared.wake) : cudaSuccess;
}
