// A race in shared memory in the first call of the timed size, which is counted; those that follow
// are checked for races, and have none.
#include "redteam/axpby.h"

static __global__ void race(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    __shared__ float s_word[256];
    int64_t quad = blockIdx.x * 256LL + threadIdx.x;
    float4 u = ((const float4 *)x)[quad], v = ((const float4 *)y)[quad];
    s_word[threadIdx.x & 7] = u.x;
    float more = s_word[threadIdx.x & 7] == 12345 ? 1 : 0;
    ((float4 *)out)[quad] = make_float4(a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z,
                                        a * u.w + b * v.w + more);
}

LAUNCHER
{
    static int calls;
    if (n != INT64_C(1) << 26 || ++calls > 1)
        return good_axpby(x, y, out, n, a, b, stream);
    race<<<65536, 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
