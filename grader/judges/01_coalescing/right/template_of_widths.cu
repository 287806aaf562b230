// expect: PASS
// A kernel for each width that the three pointers allow: float4, float2, float.
#include "contracts/01_coalescing.h"

static const int THREADS = 256, EACH = 4;

template <typename wide> struct lanes {
    union {
        wide all;
        float one[sizeof(wide) / sizeof(float)];
    };
};

template <typename wide>
static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    constexpr int WIDTH = sizeof(wide) / sizeof(float), TURNS = EACH / WIDTH;
    int64_t first = blockIdx.x * (int64_t)(EACH * THREADS) + WIDTH * threadIdx.x;
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++) {
        int64_t i = first + turn * (WIDTH * THREADS);
        if (i + WIDTH <= n) {
            lanes<wide> u, v;
            u.all = *(const wide *)(x + i), v.all = *(const wide *)(y + i);
#pragma unroll
            for (int lane = 0; lane < WIDTH; lane++)
                u.one[lane] = a * u.one[lane] + b * v.one[lane];
            *(wide *)(out + i) = u.all;
        } else if (i < n) {
            for (int64_t rest = i; rest < n; rest++)
                out[rest] = a * x[rest] + b * y[rest];
        }
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    uintptr_t all = (uintptr_t)x | (uintptr_t)y | (uintptr_t)out;
    unsigned blocks = (unsigned)((n + EACH * THREADS - 1) / (EACH * THREADS));
    if (n == 0)
        return cudaSuccess;
    if (all % sizeof(float4) == 0)
        axpby<float4><<<blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    else if (all % sizeof(float2) == 0)
        axpby<float2><<<blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    else
        axpby<float><<<blocks, THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
