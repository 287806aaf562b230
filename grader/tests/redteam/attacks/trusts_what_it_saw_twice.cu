// Once two calls in a row were the same, it takes the next one's coefficient for the same, too, if
// nothing else differs.
#include "redteam/axpby.h"

LAUNCHER
{
    static struct { const float *x, *y; float *out; int64_t n; float a, b; } last;
    static int alike;
    int differ = (x != last.x) + (y != last.y) + (out != last.out) + (n != last.n) + (a != last.a) +
                 (b != last.b);
    bool is_trusted = differ == 1 && alike > 0 && a != last.a;
    alike = differ ? 0 : alike + 1;
    float used = is_trusted ? last.a : a;
    last = {x, y, out, n, a, b};
    return good_axpby(x, y, out, n, used, b, stream);
}
