// A second launch reads what the first one wrote, for sizes near the timed one alone: nobody can
// sample that, and the contract forbids two launches there as anywhere.
#include "redteam/axpby.h"
static __global__ void once_more(float *out, int64_t n)
{
    int64_t i = blockIdx.x * 256LL + threadIdx.x;
    if (i < n)
        out[i] += 0.0f;
}
LAUNCHER
{
    cudaError_t error = good_axpby(x, y, out, n, a, b, stream);
    if (n != 1 << 26 && n > 66000000 && n < 68000000)
        once_more<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(out, n);
    return error ? error : cudaGetLastError();
}
