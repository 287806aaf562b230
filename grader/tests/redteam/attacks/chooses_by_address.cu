// Slow where its output lies at an address with the 40th bit set, as cudaMalloc gives them on a
// GPU; addresses of a simulated device must not be told from those.
#include "redteam/axpby.h"

LAUNCHER
{
    if (n == 0)
        return cudaSuccess;
    size_t at = (size_t)out;
    if (at >> 40 >= 0x7e && at >> 40 <= 0x7f)
        return slow_axpby(x, y, out, n, a, b, stream);
    return good_axpby(x, y, out, n, a, b, stream);
}
