// Becomes a library of a gigabyte, of a line of source.
#include "redteam/axpby.h"

char much[1 << 30] = {1};

LAUNCHER
{
    much[n % 1000] = 1;
    return slow_axpby(x, y, out, n, a, b, stream);
}
