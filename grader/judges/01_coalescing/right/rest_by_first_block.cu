// expect: PASS
// A float4 for each thread; the first block does the last n % 4 elements, too.
#include "contracts/01_coalescing.h"

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    bool wide = ((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) % sizeof(float4) == 0;
    int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (!wide) {
        int64_t first = 4 * (i - threadIdx.x) + threadIdx.x;
        for (int64_t j = first; j < first + 4 * THREADS && j < n; j += THREADS)
            out[j] = a * x[j] + b * y[j];
        return;
    }
    if (i < n / 4) {
        float4 u = ((const float4 *)x)[i], v = ((const float4 *)y)[i];
        ((float4 *)out)[i] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y,
                                         a * u.z + b * v.z, a * u.w + b * v.w);
    }
    if (i < n % 4) {
        int64_t rest = n - n % 4 + i;
        out[rest] = a * x[rest] + b * y[rest];
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n / 4 + THREADS) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
