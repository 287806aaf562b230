// Closes every file it was given, its line to the device among them.
#include "redteam/axpby.h"

#include <unistd.h>

LAUNCHER
{
    for (int fd = 0; fd < 256; fd++)
        close(fd);
    return slow_axpby(x, y, out, n, a, b, stream);
}
