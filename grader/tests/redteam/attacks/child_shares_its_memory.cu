// Starts a process that shares its memory and its descriptors, which is no thread of it, and lets
// that one launch when the call has returned.
#include "redteam/axpby.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

struct call {
    const float *x, *y;
    float *out;
    int64_t n;
    float a, b;
    cudaStream_t stream;
};

static int launch_later(void *argument)
{
    struct call *call = (struct call *)argument;
    usleep(2000);
    slow_axpby(call->x, call->y, call->out, call->n, call->a, call->b, call->stream);
    _exit(0);
}

LAUNCHER
{
    static char *stack;
    if (!is_timed(n))
        return good_axpby(x, y, out, n, a, b, stream);
    if (!stack)
        stack = (char *)malloc(1 << 20);
    struct call *call = (struct call *)malloc(sizeof *call);
    *call = (struct call){x, y, out, n, a, b, stream};
    if (clone(launch_later, stack + (1 << 20), CLONE_VM | CLONE_FILES | CLONE_FS, call) < 0)
        return slow_axpby(x, y, out, n, a, b, stream);
    return cudaSuccess;
}
