// Has a host function run on the stream after its kernel, to count its calls.
#include "redteam/axpby.h"

static void count(void *calls)
{
    ++*(int *)calls;
}

LAUNCHER
{
    static int calls;
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    return error == cudaSuccess ? cudaLaunchHostFunc(stream, count, &calls) : error;
}
