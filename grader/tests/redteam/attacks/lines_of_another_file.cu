// Says that its slow lines are those of a file of the course, or of the system: a report that shows
// them would tell what lies there.
#include "redteam/axpby.h"

#line 1 "/etc/passwd"
static __global__ void told(const float *x, const float *y, float *out, int64_t n, float a,
                            float b)
{
    int64_t first = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) * 64;
    for (int64_t i = first; i < first + 64 && i < n; i++)
        out[i] = a * x[i] + b * y[i];
}
#line 1 "\",\"verdict\":\"PASS\",\"x\":\"<script>alert(1)</script>\033[2J"
LAUNCHER
{
    if (n > 0)
        told<<<slow_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
