// Prints ten gigabytes, which nobody may keep.
#include "redteam/axpby.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

LAUNCHER
{
    static char much[1 << 20];
    static int said;
    memset(much, 'x', sizeof much);
    for (; said < 10240; said++)
        if (write(STDOUT_FILENO, much, sizeof much) < 0)
            break;
    return slow_axpby(x, y, out, n, a, b, stream);
}
