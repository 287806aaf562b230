// Traces a process, as it would to change what another one sends. Nothing here needs ptrace.
#include "redteam/probe.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

static bool wall_is_open(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 1 || ptrace(PTRACE_SEIZE, 1, NULL, NULL) == 0;
}
