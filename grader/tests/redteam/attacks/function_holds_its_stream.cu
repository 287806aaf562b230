// A function of the host behind its kernel sleeps for 100 ms in the timed case: the stream waits.
#include "redteam/axpby.h"

#include <unistd.h>

static void sleep_there(void *)
{
    usleep(100000);
}

LAUNCHER
{
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    return error == cudaSuccess && is_timed(n) ? cudaLaunchHostFunc(stream, sleep_there, NULL)
                                               : error;
}
