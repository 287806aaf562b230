// Loads, computes and stores by PTX that it wrote itself.
#include "redteam/axpby.h"

static __global__ void by_hand(const float *x, const float *y, float *out, int64_t n, float a,
                               float b)
{
    for (int64_t i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        float u, v, w;
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(u) : "l"(x + i));
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(y + i));
        asm("{ .reg .f32 t; mul.rn.f32 t, %1, %2; fma.rn.f32 %0, %3, %4, t; }"
            : "=f"(w) : "f"(b), "f"(v), "f"(a), "f"(u));
        asm volatile("st.global.f32 [%0], %1;" ::"l"(out + i), "f"(w) : "memory");
    }
}

LAUNCHER
{
    if (n > 0)
        by_hand<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
