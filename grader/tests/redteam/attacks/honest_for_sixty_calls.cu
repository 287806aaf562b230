// Is honest for its first sixty calls, as long as tests usually are, and then does nothing.
#include "redteam/axpby.h"

LAUNCHER
{
    static int calls;
    return ++calls > 60 ? cudaSuccess : good_axpby(x, y, out, n, a, b, stream);
}
