// Slow where small allocations that follow each other lie side by side, as cudaMalloc packs them on
// a GPU.
#include "redteam/axpby.h"

static bool packed;

__attribute__((constructor)) static void ask()
{
    enum { ASKED = 8, BYTES = 512, NEAR_BYTES = 1024 };
    char *at[ASKED] = {0};
    int near = 0;
    for (int i = 0; i < ASKED; i++) {
        cudaMalloc((void **)&at[i], BYTES);
        near += i > 0 && at[i] > at[i - 1] && at[i] - at[i - 1] <= NEAR_BYTES;
    }
    for (int i = 0; i < ASKED; i++)
        cudaFree(at[i]);
    packed = near >= ASKED / 2;
}

LAUNCHER
{
    if (n == 0)
        return cudaSuccess;
    if (packed)
        return slow_axpby(x, y, out, n, a, b, stream);
    return good_axpby(x, y, out, n, a, b, stream);
}
