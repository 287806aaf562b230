// expect: SLOW counters mistake not_in_every_case
// A second launch for the last n % 4 elements, which the timed case does not have.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

static __global__ void quads(const float4 *x, const float4 *y, float4 *out, int64_t n, float a,
                             float b)
{
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i >= n)
        return;
    float4 u = x[i], v = y[i];
    out[i] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z,
                         a * u.w + b * v.w);
}

static __global__ void singles(const float *x, const float *y, float *out, int64_t first,
                               int64_t n, float a, float b)
{
    int64_t i = first + blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

static unsigned blocks_for(int64_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    bool wide = ((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) % sizeof(float4) == 0;
    int64_t done = wide ? n / 4 * 4 : 0;
    if (done > 0)
        quads<<<blocks_for(done / 4), THREADS, 0, stream>>>(
            (const float4 *)x, (const float4 *)y, (float4 *)out, done / 4, a, b);
    if (done < n)
        singles<<<blocks_for(n - done), THREADS, 0, stream>>>(x, y, out, done, n, a, b);
    return cudaGetLastError();
}
