// Leaves out the last element: a matched ratio of 0.99999 is not a right result.
#include "redteam/axpby.h"

LAUNCHER
{
    return good_axpby(x, y, out, n - 1, a, b, stream);
}
