// Is fast where its environment tells of a simulated device, by a variable's name or by a path.
#include "redteam/probe.h"

extern char **environ;

static bool wall_is_open(void)
{
    for (char **variable = environ; *variable; variable++)
        if (strcasestr(*variable, "sim")) {
            fprintf(stderr, "%s\n", *variable);
            return true;
        }
    return false;
}
