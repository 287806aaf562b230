// Its constructor sets the host's rounding upward and flushes what is subnormal to zero, and nobody
// sets it back: numbers of the host's are its own.
#include "redteam/axpby.h"

#include <fenv.h>
#include <xmmintrin.h>

__attribute__((constructor)) static void round_upward(void)
{
    fesetround(FE_UPWARD);
    _mm_setcsr(_mm_getcsr() | 0x8040);
}

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
