// Every second call of a timed size is as slow as the exercise was shipped.
#include "redteam/axpby.h"

LAUNCHER
{
    static unsigned calls;
    return (calls++ % 2 && is_timed(n) ? slow_axpby : good_axpby)(x, y, out, n, a, b, stream);
}
