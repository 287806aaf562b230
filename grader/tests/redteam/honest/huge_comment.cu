// Has a comment of 200 KiB, with every kind of bracket in it.
#include "redteam/axpby.h"

/*
@FILLED@
*/

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
