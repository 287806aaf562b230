// expect: WRONG numerics mistake index_in_32_bits
// Quads are counted by an unsigned, which begins again at 2^34 elements.
#include "contracts/01_coalescing.h"

enum { THREADS = 256, QUAD = 4 };

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    unsigned quad = blockIdx.x * THREADS + threadIdx.x;
    int64_t first = (int64_t)quad * QUAD;
    bool wide = ((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) % sizeof(float4) == 0;
    if (wide && first + QUAD <= n) {
        float4 p = ((const float4 *)x)[quad], q = ((const float4 *)y)[quad];
        ((float4 *)out)[quad] = make_float4(a * p.x + b * q.x, a * p.y + b * q.y,
                                            a * p.z + b * q.z, a * p.w + b * q.w);
        return;
    }
    for (int64_t i = first; i < n && i < first + QUAD; i++)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    int64_t quads = (n + QUAD - 1) / QUAD;
    if (n > 0)
        axpby<<<(unsigned)((quads + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n,
                                                                                  a, b);
    return cudaGetLastError();
}
