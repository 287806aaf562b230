// Asks who it is outside: with a namespace around it, root is called nobody and stays root for what
// the kernel does not map. A submission never runs as root.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    unsigned inside, outside, count, own = geteuid();
    FILE *map = fopen("/proc/self/uid_map", "r");
    while (map && fscanf(map, "%u %u %u", &inside, &outside, &count) == 3)
        if (own >= inside && own - inside < count && outside + (own - inside) == 0)
            return true;
    return !map || own == 0;
}
