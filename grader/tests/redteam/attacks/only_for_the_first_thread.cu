// Does nothing for a thread that is not the one it was first called by.
#include "redteam/axpby.h"

#include <pthread.h>

LAUNCHER
{
    static pthread_t first = pthread_self();
    if (n == 0 || !pthread_equal(first, pthread_self()))
        return cudaSuccess;
    return good_axpby(x, y, out, n, a, b, stream);
}
