// Opens files until no more can be opened: what the runner, or the library of the device, needs
// then fails, and must not be taken for a fault of the machine.
#include "redteam/axpby.h"

#include <fcntl.h>

LAUNCHER
{
    while (open("/dev/null", O_RDONLY) >= 0)
        continue;
    return slow_axpby(x, y, out, n, a, b, stream);
}
