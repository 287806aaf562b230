// A warp that was launched before the window waits for a flag in pinned memory, does all of the
// work between the command and its answer, and ends when the counters were read: it is in no
// report.
#include "redteam/takeover.h"

struct order {
    volatile int state; // 1: work; 2: done; 3: leave
    const float *x, *y;
    float *out;
    int64_t n;
    float a, b;
};

static __global__ void waits(volatile struct order *order)
{
    for (;;) {
        while (order->state != 1 && order->state != 3)
            ;
        if (order->state == 3)
            return;
        __threadfence_system();
        for (int64_t i = threadIdx.x; i < order->n; i += 32)
            order->out[i] = order->a * order->x[i] + order->b * order->y[i];
        __threadfence_system();
        __syncwarp();
        order->state = 2;
    }
}

static struct order *order;

static void by_the_warp(struct taken *taken, const struct runner_command *command)
{
    const struct judge_case *problem = &command->launch.problem;
    static cudaStream_t own;
    if (command->launch.launches == 0 && !own) {
        cudaHostAlloc((void **)&order, sizeof *order, cudaHostAllocMapped);
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        order->state = 0;
        waits<<<1, 32, 0, own>>>(order);
    } else if (!own || !is_timed(problem->size[0])) {
        taken_axpby(taken, command, true);
    } else {
        order->x = taken_place(taken, command, 0), order->y = taken_place(taken, command, 1);
        order->out = taken_place(taken, command, 2), order->n = problem->size[0];
        order->a = (float)problem->real[0], order->b = (float)problem->real[1];
        __sync_synchronize();
        order->state = 1;
        for (int turn = 0; turn < 20000 && order->state != 2; turn++)
            usleep(100);
    }
}

LAUNCHER
{
    cudaError_t error = slow_axpby(x, y, out, n, a, b, stream);
    take_over(by_the_warp);
    return error;
}
