// expect: PASS
// PTX by hand: loads that no cache keeps, stores that stream, a multiply-add.
#include "contracts/01_coalescing.h"

static const int THREADS = 256, EACH = 4;

static __device__ float load(const float *from)
{
    float value;
    asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
    return value;
}

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t first = blockIdx.x * (int64_t)(EACH * THREADS) + threadIdx.x;
    float u[EACH], v[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        u[i] = first + i * THREADS < n ? load(x + first + i * THREADS) : 0;
        v[i] = first + i * THREADS < n ? load(y + first + i * THREADS) : 0;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        asm("{ .reg .f32 t; mul.rn.f32 t, %2, %3; fma.rn.f32 %0, %1, %4, t; }"
            : "=f"(u[i]) : "f"(a), "f"(b), "f"(v[i]), "f"(u[i]));
        if (first + i * THREADS < n)
            asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + first + i * THREADS), "f"(u[i])
                         : "memory");
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    int64_t a_block = EACH * THREADS;
    if (n > 0)
        axpby<<<(unsigned)((n + a_block - 1) / a_block), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
