// Lesson @NUMBER@, @SLUG@. First `make notes`, and read build/notes/@KEY@.html.
// What the launcher must do: common/contracts/@KEY@.h
// Judge it with: make check-lesson@NUMBER@        Stuck? make hint-lesson@NUMBER@
#include "contracts/@KEY@.h"

// quest: begin
// TODO: say in one sentence what the learner should bring about, and about how many lines it takes.
static const int THREADS = 256;
static const int CHUNK = 64;

__global__ void scale(const float *x, float *out, int64_t n, float factor)
{
    int64_t first = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) * CHUNK;
    for (int64_t i = first; i < first + CHUNK && i < n; i++)
        out[i] = factor * x[i];
}

static int64_t blocks_for(int64_t n)
{
    int64_t a_block = THREADS * (int64_t)CHUNK;
    return (n + a_block - 1) / a_block;
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
