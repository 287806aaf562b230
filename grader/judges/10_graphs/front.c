/* front.c - lesson 10, in the runner: a function in front of the runtime's, whose name is found
 * before the library's.
 *
 * It passes every call on. In one case, another thread allocates memory as soon as a capture has
 * begun. Unless the capture forbids that to all threads, it works.
 */
#include "judges/10_graphs/calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct graphs_front graphs_front;

static void *allocate(void *unused)
{
    void *memory = NULL;
    if (cudaMalloc(&memory, 1) != cudaSuccess)
        graphs_front.was_kept_from_work = true;
    cudaFree(memory);
    return unused;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    static __typeof__(&cudaStreamBeginCapture) behind;
    pthread_t other;
    if (!behind)
        behind = (__typeof__(behind))dlsym(RTLD_NEXT, "cudaStreamBeginCapture");
    cudaError_t error = behind ? behind(stream, mode) : cudaErrorUnknown;
    if (error == cudaSuccess && graphs_front.others_work &&
        pthread_create(&other, NULL, allocate, NULL) == 0)
        pthread_join(other, NULL);
    return error;
}
