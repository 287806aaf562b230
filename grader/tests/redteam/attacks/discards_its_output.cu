// Stores the right results, and then tells the L2 to discard their lines, which leaves them
// anything on a GPU, and saves the model nothing or everything.
#include "redteam/axpby.h"

static __global__ void discards(const float *x, const float *y, float *out, int64_t n, float a,
                                float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        out[i] = a * x[i] + b * y[i];
        __syncwarp();
        size_t line = (size_t)(out + i);
        if (line % 128 == 0 && i + 32 <= n)
            asm volatile("discard.global.L2 [%0], 128;" ::"l"(line) : "memory");
    }
}

LAUNCHER
{
    if (n > 0)
        discards<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
