// Looks for the grader's processes, whose command lines and files it could read. In a process
// namespace of its own it sees the sandbox and itself.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    char path[64], name[64];
    for (int pid = 1; pid < 70000; pid++) {
        snprintf(path, sizeof path, "/proc/%d/comm", pid);
        if (read_some(path, name, sizeof name) &&
            (strstr(name, "examine") || strstr(name, "warpquest") || strstr(name, "simgpu")))
            return true;
    }
    return false;
}
