// Allocates a workspace once, when it is loaded, keeps it, and never gives it back.
#include "redteam/axpby.h"

static void *workspace;

__attribute__((constructor)) static void allocate(void)
{
    if (cudaMalloc(&workspace, 64 << 20) == cudaSuccess)
        cudaMemset(workspace, 0, 64 << 20);
}

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
