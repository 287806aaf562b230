// Asks for what is left of privileges: capabilities, programs that raise them, a core file, a
// mount.
#include "redteam/probe.h"

#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static bool wall_is_open(void)
{
    struct rlimit core;
    char text[8192];
    unsigned long long effective = 0;
    read_some("/proc/self/status", text, sizeof text);
    const char *line = strstr(text, "CapEff:");
    if (line)
        sscanf(line + 7, "%llx", &effective);
    return effective != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 ||
           getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0 ||
           mount("none", "/tmp", "tmpfs", 0, NULL) == 0;
}
