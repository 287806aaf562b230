// Kills its process as the kernel does when the machine has no memory left, and says so: then the
// machine would be at fault.
#include "redteam/axpby.h"

#include <signal.h>
#include <stdio.h>

LAUNCHER
{
    static int calls;
    if (++calls == 20) {
        fprintf(stderr, "walls: this machine ran out of memory\n");
        raise(SIGKILL);
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
