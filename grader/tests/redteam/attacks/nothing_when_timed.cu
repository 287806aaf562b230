// Computes small cases and nothing where the time counts. The launch that is counted is verified.
#include "redteam/axpby.h"

LAUNCHER
{
    return is_timed(n) ? cudaSuccess : good_axpby(x, y, out, n, a, b, stream);
}
