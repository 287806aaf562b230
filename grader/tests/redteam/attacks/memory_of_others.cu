// Opens the memory of the other processes it sees, bubblewrap among them, for writing: the grader's
// environment and pipes are known there. Only its own may open.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    char path[64];
    for (int pid = 1; pid < 1000; pid++) {
        snprintf(path, sizeof path, "/proc/%d/mem", pid);
        if (pid != getpid() && opens_for_writing(path))
            return true;
    }
    return false;
}
