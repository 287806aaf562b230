// Has its work done by children, one after the other, each of which stays below the limit on
// processor time by itself. What counts is the time of all of them.
#include "redteam/probe.h"

#include <sys/wait.h>
#include <time.h>

static bool wall_is_open(void)
{
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            while (clock() < 3 * CLOCKS_PER_SEC)
                ;
            _exit(0);
        }
        if (child < 0 || waitpid(child, NULL, 0) != child)
            return false;
    }
    return true;
}
