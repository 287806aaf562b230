// Each warp first does more cheap arithmetic than the model traces; all memory comes after that,
// and each lane works on a run of its own. What warps do after their traces has its price, too.
#include "redteam/axpby.h"

static __global__ void __launch_bounds__(1024)
    late(const float *x, const float *y, float *out, int64_t n, float a, float b, int turns)
{
    float h = threadIdx.x;
#pragma unroll 32
    for (int i = 0; i < turns; i++)
        h = fmaf(h, h, -1.4f);
    int64_t zero = h == 12345.5f && turns < 0;
    int64_t threads = gridDim.x * 1024LL, each = (n + threads - 1) / threads;
    int64_t first = (blockIdx.x * 1024LL + threadIdx.x) * each;
    for (int64_t i = first; i < first + each && i < n; i++)
        out[i + zero] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n < 1 << 25)
        return good_axpby(x, y, out, n, a, b, stream);
    late<<<1056, 1024, 0, stream>>>(x, y, out, n, a, b, 6000);
    return cudaGetLastError();
}
