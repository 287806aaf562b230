/* callback.c - functions of the program that run in stream order (cudaLaunchHostFunc).
 *
 * The device decides when a function must run. It asks over a separate connection, and a thread of
 * ours runs the function and reports that it has returned. A function must not make runtime calls,
 * as the documentation says.
 */
#include "client.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int line = -1;

static bool read_all(void *bytes, size_t size)
{
    ssize_t got;
    do
        got = recv(line, bytes, size, MSG_WAITALL);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)size;
}

static void *serve(void *argument)
{
    struct reply ask;
    (void)argument;
    while (read_all(&ask, sizeof ask)) {
        struct request done = {.kind = REQUEST_CALLBACK_DONE};
        void (*function)(void *) = (void (*)(void *))(uintptr_t)ask.value[1];
        function((void *)(uintptr_t)ask.value[2]);
        done.callback.id = ask.value[0];
        if (send(line, &done, sizeof done, MSG_NOSIGNAL) != sizeof done)
            break;
    }
    return NULL;
}

static void start(void)
{
    pthread_t thread;
    line = connection_for_callbacks();
    if (line < 0)
        return;
    if (pthread_create(&thread, NULL, serve, NULL) == 0) {
        pthread_detach(thread);
        return;
    }
    close(line);
    line = -1;
}

bool callbacks_start(void)
{
    pthread_once(&once, start);
    return line >= 0;
}

cudaError_t callback_submit(struct CUstream_st *stream, void (*function)(void *), void *data)
{
    struct call call = new_call(REQUEST_HOST_FUNCTION);
    struct content content;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (!function)
        return cudaErrorInvalidValue;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess)
        return error;
    if (stream->capture) {
        const struct cudaHostNodeParams parameters = {function, data};
        error = content_host(&content, &parameters);
        return error == cudaSuccess ? capture_content(stream, &content, NULL) : error;
    }
    if (!callbacks_start())
        return cudaErrorMemoryAllocation;
    call.request.host_function.stream = stream->number;
    call.request.host_function.function = (uint64_t)(uintptr_t)function;
    call.request.host_function.data = (uint64_t)(uintptr_t)data;
    return perform(&call);
}

BOTH(_ptsz, cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data),
     callback_submit(stream_of(stream, default_stream), function, data))

/* --- The older interface, which passes stream and status along -------------------------------- */

struct callback {
    cudaStreamCallback_t function;
    cudaStream_t stream;
    void *data;
};

static void run_callback(void *argument)
{
    struct callback callback = *(struct callback *)argument;
    free(argument);
    callback.function(callback.stream, cudaSuccess, callback.data);
}

static cudaError_t add_callback(cudaStream_t handle, cudaStreamCallback_t function, void *data,
                                unsigned flags, uint64_t default_stream)
{
    struct CUstream_st *stream = stream_of(handle, default_stream);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (!function || flags)
        return cudaErrorInvalidValue;
    if (stream->capture)
        return capture_check_wait(stream); /* it frees what it is given, so it runs once only */
    struct callback *callback = malloc(sizeof *callback);
    if (!callback)
        return cudaErrorMemoryAllocation;
    *callback = (struct callback){function, handle, data};
    cudaError_t error = callback_submit(stream, run_callback, callback);
    if (error != cudaSuccess)
        free(callback);
    return error;
}

BOTH(_ptsz, cudaStreamAddCallback,
     (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags),
     add_callback(stream, callback, data, flags, default_stream))
