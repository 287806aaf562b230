// Lesson 1, coalescing. First `make notes`, and read build/notes/01_coalescing.html.
// What the launcher must do: common/contracts/01_coalescing.h
// Judge it with: make check-lesson1        Stuck? make hint-lesson1
#include "contracts/01_coalescing.h"

// quest: begin
// TODO: the result is right. Make it fast: who should read what, so that the 32 threads of a warp
// touch neighbouring addresses together? blocks_for() goes with it. (5 lines; wide loads: 20.)
static const int THREADS = 256;
static const int CHUNK = 64;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t thread = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    for (int64_t i = thread * CHUNK; i < (thread + 1) * CHUNK && i < n; i++)
        out[i] = a * x[i] + b * y[i];
}

static int64_t blocks_for(int64_t n)
{
    int64_t a_block = THREADS * (int64_t)CHUNK;
    return (n + a_block - 1) / a_block;
}
// quest: end

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)blocks_for(n), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
