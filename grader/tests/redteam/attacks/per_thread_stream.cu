// Works on the default stream of its thread, which orders with no other.
#include "redteam/axpby.h"

LAUNCHER
{
    (void)stream;
    return good_axpby(x, y, out, n, a, b, cudaStreamPerThread);
}
