// Takes managed and pinned memory as long as there is any, and touches it on both sides.
#include "redteam/axpby.h"

#include <string.h>

LAUNCHER
{
    static int calls;
    const size_t BYTES = (size_t)256 << 20;
    if (++calls == 20)
        for (int i = 0; i < 400; i++) {
            void *memory = NULL;
            if ((i % 2 ? cudaMallocManaged(&memory, BYTES) : cudaMallocHost(&memory, BYTES)) !=
                cudaSuccess)
                break;
            memset(memory, 1, BYTES);
            cudaMemset(memory, 2, BYTES);
        }
    cudaGetLastError();
    return slow_axpby(x, y, out, n, a, b, stream);
}
