// Returns at once and has a thread launch the work a little later. What comes after the call is
// late, and no excuse for the device.
#include "redteam/axpby.h"

#include <pthread.h>
#include <unistd.h>

struct call {
    const float *x, *y;
    float *out;
    int64_t n;
    float a, b;
};

static void *later(void *data)
{
    struct call call = *(struct call *)data;
    static cudaStream_t own;
    usleep(2000);
    if (!own)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    good_axpby(call.x, call.y, call.out, call.n, call.a, call.b, own);
    return NULL;
}

LAUNCHER
{
    static struct call calls[1000];
    static int count;
    pthread_t thread;
    struct call *call = &calls[count++ % 1000];
    *call = (struct call){x, y, out, n, a, b};
    if (n > 0 && pthread_create(&thread, NULL, later, call) == 0)
        pthread_detach(thread);
    return cudaSuccess;
}
