// Waits for the device in another thread, which the launcher then joins.
#include "redteam/axpby.h"

#include <pthread.h>

static void *waits(void *event)
{
    cudaEventSynchronize((cudaEvent_t)event);
    return NULL;
}

LAUNCHER
{
    static cudaEvent_t done;
    pthread_t thread;
    if (!done)
        cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    cudaEventRecord(done, stream);
    pthread_create(&thread, NULL, waits, done);
    pthread_join(thread, NULL);
    return error;
}
