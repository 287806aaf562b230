// A kernel writes its inputs into pinned memory and waits there for the host, whose thread does the
// arithmetic. The kernel must not end before it has its results, or its results are late.
#include "redteam/axpby.h"

#include <pthread.h>

enum { MOST = 1 << 20 };
static volatile struct shared {
    float x[MOST], y[MOST], out[MOST];
    float a, b;
    int64_t n;
    int state; // 1: inputs are there; 2: outputs are
} *shared;

static __global__ void ask(const float *x, const float *y, float *out, int64_t n,
                           volatile struct shared *shared)
{
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        shared->x[i] = x[i];
        shared->y[i] = y[i];
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        shared->state = 1;
        while (shared->state != 2)
            ;
    }
    __syncthreads();
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = shared->out[i];
}

static void *answers(void *data)
{
    for (;;) {
        while (shared->state != 1)
            ;
        for (int64_t i = 0; i < shared->n; i++)
            shared->out[i] = shared->a * shared->x[i] + shared->b * shared->y[i];
        __sync_synchronize();
        shared->state = 2;
    }
    return data;
}

LAUNCHER
{
    static pthread_t thread;
    if (!thread) {
        cudaHostAlloc((void **)&shared, sizeof *shared, cudaHostAllocMapped);
        pthread_create(&thread, NULL, answers, NULL);
    }
    if (n == 0 || n > MOST)
        return slow_axpby(x, y, out, n, a, b, stream);
    shared->a = a, shared->b = b, shared->n = n, shared->state = 0;
    ask<<<1, 1024, 0, stream>>>(x, y, out, n, shared);
    return cudaGetLastError();
}
