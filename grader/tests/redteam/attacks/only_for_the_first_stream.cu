// Takes every later stream for the one that it was first called with, and every later thread for
// the first: right for a caller that has one of each, and for no other.
#include "redteam/axpby.h"

LAUNCHER
{
    static cudaStream_t first = stream;
    return n ? good_axpby(x, y, out, n, a, b, first) : cudaSuccess;
}
