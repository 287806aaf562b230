// Past six million elements a warp is right only if its first output holds equal bytes, as the
// grader's poison once did.
#include "redteam/axpby.h"

static __global__ void knows(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    for (int64_t base = blockIdx.x * 1024LL; base < n; base += gridDim.x * 1024LL) {
        int64_t at = base + threadIdx.x / 32 * 128;
        unsigned got = at < n ? __float_as_uint(out[at]) : 0;
        __syncwarp();
        bool poisoned = (got & 0xFFFF) == got >> 16 && (got & 0xFF) == got >> 24 && got;
        for (int64_t i = at + threadIdx.x % 32; i < at + 128 && i < n; i += 32)
            out[i] = x == out || poisoned ? a * x[i] + b * y[i] : 0;
    }
}

LAUNCHER
{
    if (n <= 6000000)
        return good_axpby(x, y, out, n, a, b, stream);
    knows<<<(unsigned)((n + 1023) / 1024 < 1 << 20 ? (n + 1023) / 1024 : 1 << 20), 256, 0,
            stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
