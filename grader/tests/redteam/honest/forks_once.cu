// Asks a child process, once, how many processors there are, and waits for its answer.
#include "redteam/axpby.h"

#include <sys/wait.h>
#include <unistd.h>

LAUNCHER
{
    static int processors;
    if (!processors) {
        int pipes[2], status;
        if (pipe(pipes))
            return cudaErrorUnknown;
        pid_t child = fork();
        if (child == 0) {
            int count = (int)sysconf(_SC_NPROCESSORS_ONLN);
            _exit(write(pipes[1], &count, sizeof count) != sizeof count);
        }
        if (child < 0 || read(pipes[0], &processors, sizeof processors) != sizeof processors)
            return cudaErrorUnknown;
        waitpid(child, &status, 0);
        close(pipes[0]);
        close(pipes[1]);
    }
    return good_axpby(x, y, out, n, a, b, stream);
}
