// expect: PASS
// Cooperative groups name the threads: the grid strides by its own size.
#include "contracts/01_coalescing.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    auto grid = cg::this_grid();
    int64_t threads = grid.num_threads();
    for (int64_t i = grid.thread_rank(); i < n; i += 2 * threads) {
        bool two = i + threads < n;
        float u = x[i], v = y[i], second_u = two ? x[i + threads] : 0,
              second_v = two ? y[i + threads] : 0;
        out[i] = a * u + b * v;
        if (two)
            out[i + threads] = a * second_u + b * second_v;
    }
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    int64_t blocks = (n + 1023) / 1024, most = 1 << 20;
    if (n > 0)
        axpby<<<(unsigned)(blocks < most ? blocks : most), 512, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
