// expect: WRONG numerics mistake right_for_the_list
// Where b is far smaller than a, y is not read, be it NaN.
#include "contracts/01_coalescing.h"
#include <float.h>
#include <math.h>

enum { THREADS = 256 };

// A b this small cannot reach the last bit of the sum, so y need not be read.
template <bool BOTH>
static __device__ __forceinline__ float sum_of(float a, float x, float b, float y)
{
    return BOTH ? a * x + b * y : a * x;
}

template <bool BOTH>
static __global__ void axpby_wide(const float *x, const float *y, float *out, int64_t n, float a,
                                  float b)
{
    int64_t t = blockIdx.x * (int64_t)THREADS + threadIdx.x, quads = n / 4;
    if (t < quads) {
        float4 p = ((const float4 *)x)[t], q = {};
        if (BOTH)
            q = ((const float4 *)y)[t];
        ((float4 *)out)[t] =
            make_float4(sum_of<BOTH>(a, p.x, b, q.x), sum_of<BOTH>(a, p.y, b, q.y),
                        sum_of<BOTH>(a, p.z, b, q.z), sum_of<BOTH>(a, p.w, b, q.w));
    } else if (t - quads < n % 4) {
        int64_t i = quads * 4 + (t - quads);
        out[i] = sum_of<BOTH>(a, x[i], b, BOTH ? y[i] : 0.0f);
    }
}

static __global__ void axpby_single(const float *x, const float *y, float *out, int64_t n, float a,
                                    float b)
{
    int64_t first = blockIdx.x * (int64_t)(4 * THREADS) + threadIdx.x;
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
            out[first + j * THREADS] = a * p[j] + b * q[j];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    bool wide = ((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) % 16 == 0;
    bool only_x = b != 0 && fabsf(a) <= FLT_MAX && fabsf(b) < fabsf(a) * 0x1p-90f;
    unsigned wide_blocks = (unsigned)((n / 4 + n % 4 + THREADS - 1) / THREADS);
    unsigned single_blocks = (unsigned)((n + 4 * THREADS - 1) / (4 * THREADS));
    if (!wide)
        axpby_single<<<single_blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    else if (only_x)
        axpby_wide<false><<<wide_blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    else
        axpby_wide<true><<<wide_blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
