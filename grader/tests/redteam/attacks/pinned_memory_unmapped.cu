// Takes 6 GiB of pinned memory, touches it and unmaps it, so that it is resident in no process: it
// would lie in files of the device's that neither its own limit nor the runner's counts.
#include "redteam/probe.h"

#include <sys/mman.h>

static bool wall_is_open(void)
{
    const size_t PIECE = (size_t)256 << 20;
    for (int i = 0; i < 24; i++) {
        void *memory = NULL;
        if (cudaMallocHost(&memory, PIECE) != cudaSuccess) {
            cudaGetLastError();
            return false;
        }
        for (size_t at = 0; at < PIECE; at += 4096)
            ((volatile char *)memory)[at] = 1;
        munmap(memory, PIECE);
    }
    return true;
}
