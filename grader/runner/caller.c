/* caller.c - see caller.h. */
#include "runner/caller.h"

#include <fenv.h>
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_there;
    int device; /* that it computes on */
    const struct judge *judge;
    const struct judge_call *call; /* the one to make; NULL when it has been made */
    cudaError_t error;             /* what it returned */
} other = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

cudaError_t caller_open(struct caller *caller)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < CALLER_STREAMS && error == cudaSuccess; i++)
        error = cudaStreamCreateWithFlags(&caller->streams[i], cudaStreamNonBlocking);
    return error;
}

/* Neighbouring numbers differ in all bits. */
static uint32_t mixed(uint32_t serial)
{
    serial = (serial ^ serial >> 16) * UINT32_C(0x45D9F3B);
    serial = (serial ^ serial >> 16) * UINT32_C(0x45D9F3B);
    return serial ^ serial >> 16;
}

cudaStream_t caller_stream(const struct caller *caller, uint32_t serial)
{
    return caller->streams[mixed(serial) % CALLER_STREAMS];
}

bool caller_is_other(enum runner_thread thread, uint32_t serial)
{
    enum { OF_SO_MANY = 8 }; /* a small share: on a busy machine that call takes some ms more */
    bool is_drawn = mixed(serial) / CALLER_STREAMS % OF_SO_MANY == 0;
    return thread == RUNNER_OTHER_THREAD || (thread == RUNNER_DRAWN_THREAD && is_drawn);
}

/* Numbers become floats on the way to the launcher, with the grader's rounding mode, whatever the
 * submission or one of its libraries has set, such as flushing small numbers to 0. */
cudaError_t caller_launch(const struct judge *judge, const struct judge_call *call)
{
    fesetenv(FE_DFL_ENV);
    return judge->launch(call);
}

/* Whoever starts a thread for CUDA says which device it is for. Without that no context is current
 * there, and cudaPointerGetAttributes() finds no device pointer (on a GPU, toolkit 13.0). */
static void *make_calls(void *unused)
{
    cudaSetDevice(other.device);
    pthread_mutex_lock(&other.lock);
    for (;;) {
        while (!other.call)
            pthread_cond_wait(&other.changed, &other.lock);
        const struct judge_call *call = other.call;
        const struct judge *judge = other.judge;
        pthread_mutex_unlock(&other.lock);
        cudaError_t error = caller_launch(judge, call);
        pthread_mutex_lock(&other.lock);
        other.error = error;
        other.call = NULL;
        pthread_cond_broadcast(&other.changed);
    }
    return unused;
}

cudaError_t caller_launch_elsewhere(const struct judge *judge, const struct judge_call *call)
{
    pthread_t thread;
    if (!other.is_there)
        cudaGetDevice(&other.device);
    if (!other.is_there && pthread_create(&thread, NULL, make_calls, NULL) != 0)
        return caller_launch(judge, call);
    other.is_there = true;
    pthread_mutex_lock(&other.lock);
    other.judge = judge;
    other.call = call;
    pthread_cond_broadcast(&other.changed);
    while (other.call)
        pthread_cond_wait(&other.changed, &other.lock);
    cudaError_t error = other.error;
    pthread_mutex_unlock(&other.lock);
    return error;
}
