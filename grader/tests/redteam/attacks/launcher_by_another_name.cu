// Has no launcher by the name that is asked for, and one that looks like it.
#include "redteam/axpby.h"

extern "C" cudaError_t lesson1_axpby_(const float *x, const float *y, float *out, int64_t n,
                                      float a, float b, cudaStream_t stream)
{
    return good_axpby(x, y, out, n, a, b, stream);
}
