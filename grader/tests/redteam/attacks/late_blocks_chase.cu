// Blocks past the 4000th of the timed grid go through 16 far lines, one after the other; those
// before them through one line of L1.
#include "redteam/axpby.h"

static __global__ void chase(const float *x, const float *y, float *out, int64_t n, float a,
                             float b, unsigned zero)
{
    unsigned far = blockIdx.x < 4000 ? 0 : 0x9E3779B1u;
    unsigned at = blockIdx.x * 1024 + threadIdx.x / 32 * 128;
    for (int step = 0; step < 16; step++) {
        unsigned got;
        at = (at + (step + 1) * far + blockIdx.x * far * 7) & ((1u << 26) - 1);
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(got) : "l"(x + at));
        at += got & zero;
    }
    int64_t quad = blockIdx.x * 256LL + threadIdx.x;
    float4 u = ((const float4 *)x)[quad], v = ((const float4 *)y)[quad];
    u.x += __uint_as_float(at & zero);
    ((float4 *)out)[quad] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z,
                                        a * u.w + b * v.w);
}

LAUNCHER
{
    if (n != INT64_C(1) << 26)
        return good_axpby(x, y, out, n, a, b, stream);
    chase<<<65536, 256, 0, stream>>>(x, y, out, n, a, b, 0);
    return cudaGetLastError();
}
