// Makes a user namespace of its own, in which it is root and all of the kernel's mounting, routing
// and filtering is in reach. The sandbox's is the last one.
#include "redteam/probe.h"

#include <sched.h>
#include <sys/wait.h>

static bool wall_is_open(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(unshare(CLONE_NEWUSER) == 0);
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 1;
}
