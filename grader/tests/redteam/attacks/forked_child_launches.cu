// Forks in each call: the child, which has inherited the line to the device, launches the slow
// kernel a little later, and the parent returns at once.
#include "redteam/axpby.h"

#include <sys/wait.h>
#include <unistd.h>

LAUNCHER
{
    pid_t child = fork();
    if (child == 0) {
        usleep(1000);
        slow_axpby(x, y, out, n, a, b, stream);
        cudaStreamSynchronize(stream);
        _exit(0);
    }
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    return cudaSuccess;
}
