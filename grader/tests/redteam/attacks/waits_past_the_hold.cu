// Queues so many events that its work is held back no more, and then waits, in small cases, for a
// flag that a function of the host raises.
#include "redteam/axpby.h"

static volatile int flag;

static void raise_flag(void *)
{
    flag = 1;
}

LAUNCHER
{
    static cudaEvent_t event;
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (is_timed(n) || n == 0 || error != cudaSuccess)
        return error;
    if (!event)
        cudaEventCreate(&event);
    flag = 0;
    error = cudaLaunchHostFunc(stream, raise_flag, NULL);
    for (int i = 0; i < 20000 && !flag; i++)
        cudaEventRecord(event, stream);
    while (error == cudaSuccess && !flag)
        ;
    return error;
}
