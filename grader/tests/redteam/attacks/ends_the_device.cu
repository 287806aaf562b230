// Asks so much of the simulated device that it may end: stacks of 512 KiB, a heap of a terabyte, a
// million lines of printf, a grid as large as there is.
#include "redteam/axpby.h"

#include <stdio.h>

static __global__ void talks(int depth)
{
    volatile char much[4096];
    much[depth % 4096] = 1;
    printf("redteam-mark %d %d\n", depth, much[depth % 4096]);
}

LAUNCHER
{
    static int tried;
    if (!tried++) {
        cudaDeviceSetLimit(cudaLimitStackSize, 512 << 10);
        cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)1 << 40);
        cudaDeviceSetLimit(cudaLimitPrintfFifoSize, (size_t)1 << 40);
        cudaGetLastError();
        talks<<<1000, 32, 0, stream>>>(3);
        talks<<<dim3(1 << 30, 65535, 65535), 1, 0, stream>>>(3);
        cudaGetLastError();
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
