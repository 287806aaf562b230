// Crashes with a large memory, to leave a core file where it may lie: the course, the home folder.
#include "redteam/axpby.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

LAUNCHER
{
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &all);
    signal(SIGABRT, SIG_DFL);
    abort();
}
