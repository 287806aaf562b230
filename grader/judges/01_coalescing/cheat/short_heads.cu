// expect: WRONG numerics mistake right_for_the_list
// Right where all pointers are up to four elements past a sector of 32 bytes. Further on, what
// comes before the first whole sector is less than a float4, and is lost.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

static __device__ __forceinline__ float one(float x, float y, float a, float b)
{
    return a * x + b * y;
}

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                      int head, bool wide)
{
    int64_t thread = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (wide) {
        if (head >= 4 && thread < head)
            out[thread] = one(x[thread], y[thread], a, b);
        int64_t quads = (n - head) / 4, tail = (n - head) % 4;
        if (thread < quads) {
            float4 p = ((const float4 *)(x + head))[thread];
            float4 q = ((const float4 *)(y + head))[thread];
            ((float4 *)(out + head))[thread] =
                make_float4(one(p.x, q.x, a, b), one(p.y, q.y, a, b), one(p.z, q.z, a, b),
                            one(p.w, q.w, a, b));
        } else if (thread < quads + tail) {
            int64_t i = head + quads * 4 + (thread - quads);
            out[i] = one(x[i], y[i], a, b);
        }
        return;
    }
    int64_t first = blockIdx.x * (int64_t)THREADS * 4 + threadIdx.x;
    float p[4], q[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (first + j * THREADS < n) {
            p[j] = x[first + j * THREADS];
            q[j] = y[first + j * THREADS];
        }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (first + j * THREADS < n)
            out[first + j * THREADS] = one(p[j], q[j], a, b);
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int past = (int)((uintptr_t)out / 4 % 8), head = (8 - past) % 8;
    bool wide = n >= 64 && (uintptr_t)x % 16 == (uintptr_t)out % 16 &&
                (uintptr_t)y % 16 == (uintptr_t)out % 16;
    int64_t threads = wide ? (n - head) / 4 + 8 : (n + 3) / 4;
    axpby<<<(unsigned)((threads + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b,
                                                                                 head, wide);
    return cudaGetLastError();
}
