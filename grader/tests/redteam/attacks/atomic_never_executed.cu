// An atomic that no thread comes to, so that the blocks of the first multiprocessor are looked at:
// in all others only one warp works at a time.
#include "redteam/axpby.h"
static __device__ unsigned ticket;
static __global__ void __launch_bounds__(256)
    in_turns(const float4 *x, const float4 *y, float4 *out, int64_t n, float a, float b)
{
    unsigned warp = threadIdx.x / 32, turns = blockIdx.x % 132 ? 8 : 1;
    const int64_t first = blockIdx.x * 2048LL + threadIdx.x;
    for (unsigned turn = 0; turn < turns; turn++) {
        if (turns == 1 || turn == warp)
#pragma unroll 1
            for (int64_t i = first; i < first + 2048; i += 256) {
                float4 u = x[i], v = y[i];
                out[i] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z,
                                     a * u.w + b * v.w);
                i += u.x == 1.25e33f; // the next load waits for this one
            }
        __syncthreads();
    }
    if (n < 0)
        out[atomicAdd(&ticket, 1u)].x = 0;
}
LAUNCHER
{
    bool aligned = ((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) % 16 == 0;
    if (n < 1 << 25 || n % 8192 || !aligned)
        return good_axpby(x, y, out, n, a, b, stream);
    in_turns<<<(unsigned)(n / 8192), 256, 0, stream>>>((const float4 *)x, (const float4 *)y,
                                                       (float4 *)out, n, a, b);
    return cudaGetLastError();
}
