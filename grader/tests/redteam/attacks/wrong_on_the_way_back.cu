// Right after a call that is closer to the ordinary, wrong after one that is further from it: from
// unaligned to aligned, from one element less, from a smaller coefficient.
#include "redteam/axpby.h"

LAUNCHER
{
    static struct { const float *x, *y; float *out; int64_t n; float a, b; } last;
    int differ = (x != last.x) + (y != last.y) + (out != last.out) + (n != last.n) + (a != last.a) +
                 (b != last.b);
    bool is_back = x + 1 == last.x || y + 1 == last.y || out + 1 == last.out || n - 1 == last.n ||
                   a * a > last.a * last.a || b * b > last.b * last.b;
    last = {x, y, out, n, a, b};
    return good_axpby(x, y, out, n, differ == 1 && is_back ? a + 1 : a, b, stream);
}
