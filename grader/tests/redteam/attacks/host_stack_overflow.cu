// Calls itself on the host without end.
#include "redteam/axpby.h"

static int deep(volatile int *from)
{
    volatile int own[1024];
    own[0] = *from + 1;
    return deep(own) + own[0];
}

LAUNCHER
{
    volatile int from = 0;
    return deep(&from) ? slow_axpby(x, y, out, n, a, b, stream) : cudaSuccess;
}
