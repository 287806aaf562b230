/* processors.c - see processors.h. */
#include "lib/processors.h"

#include <sched.h>
#include <unistd.h>

static size_t count(void)
{
    cpu_set_t allowed;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) /* fails beyond 1024 processors */
        return (size_t)CPU_COUNT(&allowed);
    return online > 0 ? (size_t)online : 1;
}

size_t processors_allowed(void)
{
    static _Atomic size_t allowed;
    if (allowed == 0)
        allowed = count();
    return allowed;
}
