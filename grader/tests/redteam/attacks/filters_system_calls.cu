// Asks whether any filter of system calls is on (mode 2): walls without one leave the whole kernel
// in reach.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    char text[8192];
    read_some("/proc/self/status", text, sizeof text);
    const char *line = strstr(text, "Seccomp:");
    return !line || atoi(line + 8) != 2;
}
