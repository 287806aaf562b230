// Asks for types without end, two for each.
#include "redteam/axpby.h"

template <int N, int M> struct more {
    static const int value = more<N + 1, M>::value + more<N + 1, M + 1>::value;
};

LAUNCHER
{
    return (cudaError_t)more<0, 0>::value;
}
