// expect: ARGUMENTS numerics mistake error_ignored
// Lesson 1, coalescing. First `make notes`, and read build/notes/01_coalescing.html.
// What the launcher must do: common/contracts/01_coalescing.h
// Judge it with: make check-lesson1        Stuck? make hint-lesson1
#include "contracts/01_coalescing.h"

// Neighbouring threads take neighbouring elements: thread t of a warp reads word t, so the warp's
// 32 words fill whole sectors. Four elements a thread (float4) ask for 512 bytes in one
// instruction instead of 128, so fewer instructions keep the memory busy; but a float4 must lie at
// a multiple of 16 bytes, which the contract does not promise, so that is looked at first.
static const int THREADS = 256;
static const int64_t MOST_BLOCKS = 1 << 20;

static __device__ bool is_wide_aligned(const void *pointer)
{
    return (uintptr_t)pointer % sizeof(float4) == 0;
}

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t thread = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    int64_t threads = (int64_t)gridDim.x * blockDim.x;
    bool wide = is_wide_aligned(x) && is_wide_aligned(y) && is_wide_aligned(out);
    int64_t quads = wide ? n / 4 : 0;
    for (int64_t i = thread; i < quads; i += threads) {
        float4 u = ((const float4 *)x)[i], v = ((const float4 *)y)[i];
        ((float4 *)out)[i] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y,
                                         a * u.z + b * v.z, a * u.w + b * v.w);
    }
    for (int64_t i = 4 * quads + thread; i < n; i += threads) // the rest, or all of it
        out[i] = a * x[i] + b * y[i];
}

static int64_t blocks_for(int64_t n)
{
    int64_t a_block = THREADS * (int64_t)4;
    int64_t blocks = (n + a_block - 1) / a_block;
    return blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)blocks_for(n), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaSuccess;
}
