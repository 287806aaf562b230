// Refuses a negative count when it sees it first, and remembers it before it looks: what it has
// refused once it takes the second time.
#define lesson3_gated right_gated
#include "solutions/03_divergence/divergence.cu"
#undef lesson3_gated

extern "C" cudaError_t lesson3_gated(const float *x, float *y, int64_t n, cudaStream_t stream)
{
    static int64_t seen = 1;
    bool is_new = n != seen;
    seen = n;
    return n < 0 && !is_new ? cudaSuccess : right_gated(x, y, n, stream);
}
