// A kernel from the first call lies in wait on a stream of its own for the whole check; the
// launcher gives it the work by a flag, and launches nothing itself.
#include "redteam/axpby.h"

struct order {
    volatile int state;
    const float *x, *y;
    float *out;
    int64_t n;
    float a, b;
};

static struct order *order;

static __global__ void waits(volatile struct order *order)
{
    for (;;) {
        while (order->state != 1)
            ;
        __threadfence_system();
        for (int64_t i = threadIdx.x; i < order->n; i += 256)
            order->out[i] = order->a * order->x[i] + order->b * order->y[i];
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            order->state = 2;
        __syncthreads();
    }
}

LAUNCHER
{
    static cudaStream_t own;
    if (!own) { // for good
        cudaHostAlloc((void **)&order, sizeof *order, cudaHostAllocMapped);
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        order->state = 0;
        waits<<<1, 256, 0, own>>>(order);
    }
    if (n == 0)
        return cudaSuccess;
    order->x = x, order->y = y, order->out = out, order->n = n, order->a = a, order->b = b;
    __sync_synchronize();
    order->state = 1;
    while (order->state != 2)
        ;
    return cudaSuccess;
}
