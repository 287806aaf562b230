/* front.c - lesson 10, in the runner: functions in front of the runtime's, whose names are found
 * before the library's.
 *
 * They pass every call on. In one case, another thread allocates memory as soon as a capture has
 * begun: unless the capture forbids that to all threads, it works. In others one of the functions
 * fails, as on a device that is out of memory.
 */
#include "judges/10_graphs/calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct graphs_front graphs_front;

static bool is_down(enum down down)
{
    bool is = graphs_front.down == down;
    graphs_front.was_down |= is;
    return is;
}

/* The same for the first call alone. */
static bool is_first_down(enum down down)
{
    return !graphs_front.was_down && is_down(down);
}

/* The name that a header's macro may have given a function. */
#define LINKED_NAME(name) SPELLED(name)
#define SPELLED(name) #name

/* The runtime's own function, found once. Where nothing is watched, it is called in place of this
 * one, so that the device finds the line that called (simgpu/client/caller.c). */
#define BEHIND(name, ...)                                                 \
    static __typeof__(&name) behind;                                      \
    if (!behind)                                                          \
        behind = (__typeof__(behind))dlsym(RTLD_NEXT, LINKED_NAME(name)); \
    if (!behind)                                                          \
        return cudaErrorSharedObjectSymbolNotFound;                       \
    if (!graphs_front.watches)                                            \
    return behind(__VA_ARGS__)

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
    pthread_t other;
    BEHIND(cudaStreamBeginCapture, stream, mode);
    cudaError_t error = is_down(CAPTURES_DOWN) ? GRAPHS_DOWN_ERROR : behind(stream, mode);
    if (error == cudaSuccess && graphs_front.others_work &&
        pthread_create(&other, NULL, allocate, NULL) == 0)
        pthread_join(other, NULL);
    return error;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    BEHIND(cudaMalloc, memory, bytes);
    return is_down(MEMORY_DOWN) || is_first_down(FIRST_MEMORY_DOWN) ? GRAPHS_DOWN_ERROR
                                                                    : behind(memory, bytes);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    BEHIND(cudaStreamCreateWithFlags, stream, flags);
    return is_down(STREAMS_DOWN) ? GRAPHS_DOWN_ERROR : behind(stream, flags);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    BEHIND(cudaEventCreateWithFlags, event, flags);
    return is_down(EVENTS_DOWN) || is_first_down(FIRST_EVENT_DOWN) ? GRAPHS_DOWN_ERROR
                                                                   : behind(event, flags);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ready, cudaGraph_t graph,
                                 unsigned long long flags)
{
    BEHIND(cudaGraphInstantiate, ready, graph, flags);
    return is_down(GRAPHS_DOWN) ? GRAPHS_DOWN_ERROR : behind(ready, graph, flags);
}

/* --- A copy that is followed ------------------------------------------------------------------ */

/* The library may call one of these functions in the other one; that call is not the program's. */
static _Thread_local int depth;

static cudaError_t copied(cudaStream_t stream, cudaError_t error)
{
    if (--depth > 0 || error != cudaSuccess || !graphs_front.copied || graphs_front.has_copied)
        return error;
    graphs_front.has_copied = true;
    graphs_front.copied_on = stream;
    return cudaEventRecord(graphs_front.copied, stream);
}

#define COPIED(stream, call) (depth++, copied(stream, call))

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    BEHIND(cudaMemcpyAsync, to, from, bytes, kind, stream);
    return COPIED(stream, behind(to, from, bytes, kind, stream));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    BEHIND(cudaMemcpy2DAsync, to, to_pitch, from, from_pitch, width, height, kind, stream);
    return COPIED(stream, behind(to, to_pitch, from, from_pitch, width, height, kind, stream));
}

/* --- Others that make something --------------------------------------------------------------- */

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    BEHIND(cudaStreamCreate, stream);
    return is_down(STREAMS_DOWN) ? GRAPHS_DOWN_ERROR : behind(stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    BEHIND(cudaStreamCreateWithPriority, stream, flags, priority);
    return is_down(STREAMS_DOWN) ? GRAPHS_DOWN_ERROR : behind(stream, flags, priority);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    BEHIND(cudaEventCreate, event);
    return is_down(EVENTS_DOWN) || is_first_down(FIRST_EVENT_DOWN) ? GRAPHS_DOWN_ERROR
                                                                   : behind(event);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *ready, cudaGraph_t graph,
                                          unsigned long long flags)
{
    BEHIND(cudaGraphInstantiateWithFlags, ready, graph, flags);
    return is_down(GRAPHS_DOWN) ? GRAPHS_DOWN_ERROR : behind(ready, graph, flags);
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
    BEHIND(cudaMallocAsync, memory, bytes, stream);
    return is_down(MEMORY_DOWN) || is_first_down(FIRST_MEMORY_DOWN) ? GRAPHS_DOWN_ERROR
                                                                    : behind(memory, bytes, stream);
}
