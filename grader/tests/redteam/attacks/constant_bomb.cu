// Has the compiler calculate for hours what it calls a constant.
#include "redteam/axpby.h"

static constexpr unsigned long long endless(unsigned long long from)
{
    unsigned long long value = from;
    while (value != 1)
        value = value % 2 ? value * 3 + 1 : value / 2 + 1;
    return value;
}

LAUNCHER
{
    static_assert(endless(27) == 1, "");
    return slow_axpby(x, y, out, n, a, b, stream);
}
