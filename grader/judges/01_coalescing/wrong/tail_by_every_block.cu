// expect: RACE safety mistake done_twice
// The last n % 4 elements are done by every block, which shows only where out is x.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

static __device__ bool is_wide_aligned(const void *pointer)
{
    return (uintptr_t)pointer % sizeof(float4) == 0;
}

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    int64_t thread = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    bool wide = is_wide_aligned(x) && is_wide_aligned(y) && is_wide_aligned(out);
    if (wide && thread < n / 4) {
        float4 u = ((const float4 *)x)[thread], v = ((const float4 *)y)[thread];
        ((float4 *)out)[thread] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y,
                                              a * u.z + b * v.z, a * u.w + b * v.w);
    }
    int64_t rest = n / 4 * 4 + threadIdx.x;
    if (wide && rest < n)
        out[rest] = a * x[rest] + b * y[rest];
    for (int64_t i = thread; !wide && i < n; i += (int64_t)gridDim.x * THREADS)
        out[i] = a * x[i] + b * y[i];
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    int64_t blocks = (n + 4 * THREADS - 1) / (4 * THREADS);
    axpby<<<(unsigned)blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
