// Right until eight seconds after it was loaded, and then nothing: who looks early sees a good one.
#include "redteam/axpby.h"

#include <time.h>

static time_t born = time(NULL);

LAUNCHER
{
    if (n == 0 || time(NULL) > born + 8)
        return cudaSuccess;
    return good_axpby(x, y, out, n, a, b, stream);
}
