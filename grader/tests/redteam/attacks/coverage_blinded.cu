// An unsigned index past 2^32: three fifths of the outputs are written by nobody. A store to a
// variable of its own in one request with the output's makes the device lose a stretch, and then
// no gap is claimed.
#include "redteam/axpby.h"
static __device__ float mine[32];
static __global__ void narrow(const float *x, const float *y, float *out, unsigned n, float a,
                              float b)
{
    for (unsigned i = blockIdx.x * 256u + threadIdx.x; i < n; i += gridDim.x * 256u)
        out[i] = a * x[i] + b * y[i];
    float *to =
        threadIdx.x & 1 ? mine + (threadIdx.x & 31) : out + (blockIdx.x * 256u + threadIdx.x) % n;
    float v =
        a * x[(blockIdx.x * 256u + threadIdx.x) % n] + b * y[(blockIdx.x * 256u + threadIdx.x) % n];
    if (n > 1 << 20)
        *(volatile float *)to = v;
}
LAUNCHER
{
    if (n < 1LL << 31)
        return good_axpby(x, y, out, n, a, b, stream);
    narrow<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n >> 32 ? (unsigned)n : (1u << 20) + 5, a,
                                               b);
    return cudaGetLastError();
}
