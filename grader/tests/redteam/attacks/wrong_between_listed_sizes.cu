// Is wrong for every n past the small ones that no list has and none was drawn from: up to 2^21 and
// from six million to 2^31, but for the two listed sizes and the timed one.
#include "redteam/axpby.h"

LAUNCHER
{
    const int64_t timed = 1 << 26;
    bool gap = (n > 6000 && n < 1 << 21 && n != 70001 && n != 1000003) ||
               (n > 5931641 && n < timed) || (n > timed && n < INT64_C(1) << 31);
    return good_axpby(x, y, out, n, a, gap ? b + 1 : b, stream);
}
