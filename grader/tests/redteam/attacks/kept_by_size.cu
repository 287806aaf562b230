// Works once for each size, as if the output were still there the next time: two calls of one case,
// or two blocks of one timing, have outputs of their own.
#include "redteam/axpby.h"

LAUNCHER
{
    static int64_t seen[1000];
    static int count;
    for (int i = 0; i < count; i++)
        if (seen[i] == n && n > 100)
            return cudaSuccess;
    seen[count++ % 1000] = n;
    return good_axpby(x, y, out, n, a, b, stream);
}
