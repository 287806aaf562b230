// Each block also reads 16 KiB of y that another block has, far from its own: 2.33 times the bytes.
// The model finds them in L2, which on a GPU has lost them long before or does not have them yet.
#include "redteam/axpby.h"

static __global__ void reads_twice(const float *x, const float *y, float *out, int64_t n, float a,
                                   float b)
{
    int64_t thread = blockIdx.x * 256LL + threadIdx.x;
    bool is_wide = (((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) & 15) == 0;
    if (n >= 1 << 20 && is_wide) {
        unsigned parts = (unsigned)(n / 4096 - 1);
        const float *far = y + (blockIdx.x * 2654435761u >> 10) % parts * 4096LL + threadIdx.x * 4;
        for (int i = 0; i < 4; i++) {
            unsigned one, two, three, four;
            asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(one), "=r"(two), "=r"(three), "=r"(four)
                         : "l"(far + 1024 * i));
        }
    }
    int64_t quads = is_wide ? n / 4 : 0;
    if (thread < quads) {
        float4 u = ((const float4 *)x)[thread], v = ((const float4 *)y)[thread];
        ((float4 *)out)[thread] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y,
                                              a * u.z + b * v.z, a * u.w + b * v.w);
    }
    for (int64_t i = 4 * quads + thread; i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        reads_twice<<<(unsigned)((n + 1023) / 1024), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
