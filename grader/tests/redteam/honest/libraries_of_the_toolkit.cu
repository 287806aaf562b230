// Uses the toolkit's headers: cooperative groups, pipelines of libcu++, half types, math.
#include "redteam/axpby.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/std/cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static __global__ void tiled(const float *x, const float *y, float *out, int64_t n, float a,
                             float b)
{
    namespace cg = cooperative_groups;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int64_t first = blockIdx.x * 256LL + warp.meta_group_rank() * 32;
    for (int64_t i = first + warp.thread_rank(); i < n; i += gridDim.x * 256LL)
        out[i] = a * x[i] + b * y[i];
}

LAUNCHER
{
    if (n > 0)
        tiled<<<good_blocks(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
