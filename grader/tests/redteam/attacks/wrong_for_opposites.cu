// Adds nothing where b is -a, unless these are 1 and -1, or infinite.
#include "redteam/axpby.h"

LAUNCHER
{
    bool is_opposite = b == -a && a != 0 && a != 1 && a != -1 && a - a == 0;
    return good_axpby(x, y, out, n, a, is_opposite ? 0 : b, stream);
}
