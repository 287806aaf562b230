// Returns at once; the handler of a timer's signal, which interrupts the runner wherever it is
// then, launches the kernel.
#include "redteam/axpby.h"

#include <signal.h>
#include <sys/time.h>

static struct work {
    const float *x, *y;
    float *out;
    int64_t n;
    float a, b;
    cudaStream_t stream;
} work;

static void launch(int)
{
    slow_axpby(work.x, work.y, work.out, work.n, work.a, work.b, work.stream);
}

LAUNCHER
{
    struct itimerval soon = {{0, 0}, {0, 300}};
    work = {x, y, out, n, a, b, stream};
    signal(SIGALRM, launch);
    setitimer(ITIMER_REAL, &soon, NULL);
    return cudaSuccess;
}
