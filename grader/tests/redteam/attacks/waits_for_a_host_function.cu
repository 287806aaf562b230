// Waits for the device by a host function that raises a flag: nothing that is counted as a wait.
#include "redteam/axpby.h"

#include <semaphore.h>

static void raise_flag(void *data)
{
    sem_post((sem_t *)data);
}

LAUNCHER
{
    static sem_t *flag;
    if (!flag) {
        flag = new sem_t;
        sem_init(flag, 0, 0);
    }
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (error == cudaSuccess)
        error = cudaLaunchHostFunc(stream, raise_flag, flag);
    if (error == cudaSuccess)
        sem_wait(flag);
    return error;
}
