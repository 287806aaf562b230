// cudaFreeHost and cudaHostUnregister wait for the device, as cudaFree does.
#include "redteam/axpby.h"

enum { KEPT = 200 };
static void *kept[KEPT];
static char pages[KEPT][4096] __attribute__((aligned(4096)));
static int freed;

static __attribute__((constructor)) void pin()
{
    for (auto &memory : kept)
        cudaHostAlloc(&memory, 512, 0);
    for (auto &page : pages)
        cudaHostRegister(page, sizeof page, 0);
}

LAUNCHER
{
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (n && freed < KEPT) {
        cudaHostUnregister(pages[freed]);
        cudaFreeHost(kept[freed++]);
    }
    return error;
}
