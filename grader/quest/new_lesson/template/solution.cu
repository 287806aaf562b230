// Lesson @NUMBER@, @SLUG@. First `make notes`, and read build/notes/@KEY@.html.
// What the launcher must do: common/contracts/@KEY@.h
// Judge it with: make check-lesson@NUMBER@        Stuck? make hint-lesson@NUMBER@
#include "contracts/@KEY@.h"

// quest: begin
// Say here why the answer is fast, in a few sentences.
static const int THREADS = 256;

__global__ void scale(const float *x, float *out, int64_t n, float factor)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * x[i];
}

static int64_t blocks_for(int64_t n)
{
    return (n + THREADS - 1) / THREADS;
}
// quest: end

cudaError_t lesson@NUMBER@_@SLUG@(const float *x, float *out, int64_t n, float factor,
                           cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    scale<<<(unsigned)blocks_for(n), THREADS, 0, stream>>>(x, out, n, factor);
    return cudaGetLastError();
}
