// expect: RACE mistake sgemm_barrier_missing
// cp.async with two stages: always one group may stay under way.
#include "contracts/02_tiling.h"
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

static __global__ void transpose_cg(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][32 + 1];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int w = warp.meta_group_rank(), lane = warp.thread_rank(), warps = warp.meta_group_size();
    for (int r = w; r < 32; r += warps) {
        const int row = blockIdx.y * 32 + r, col = blockIdx.x * 32 + lane;
        if (row < rows && col < cols)
            tile[r][lane] = in[(int64_t)row * cols + col];
    }
    block.sync();
    for (int c = w; c < 32; c += warps) {
        const int row = blockIdx.y * 32 + lane, col = blockIdx.x * 32 + c;
        if (row < rows && col < cols)
            out[(int64_t)col * rows + row] = tile[lane][c];
    }
}

struct Stage {
    float a[32][33];
    float b[32][33 - 1];
};

static __device__ void fetch(Stage &s, const float *A, const float *B, int m, int n, int k, int k0)
{
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        const int y = threadIdx.y + j, x = threadIdx.x;
        const int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
        const bool in_a = row < m && k0 + x < k, in_b = k0 + y < k && col < n;
        __pipeline_memcpy_async(&s.a[y][x], in_a ? A + (int64_t)row * k + k0 + x : A, 4,
                                in_a ? 0 : 4);
        __pipeline_memcpy_async(&s.b[y][x], in_b ? B + (int64_t)(k0 + y) * n + col : B, 4,
                                in_b ? 0 : 4);
    }
    __pipeline_commit();
}

static __global__ void __launch_bounds__(256)
    sgemm_async(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ Stage stages[2];
    float sum[4] = {};
    const int turns = (k + 31) / 32;
    if (turns)
        fetch(stages[0], A, B, m, n, k, 0);
    for (int t = 0; t < turns; t++) {
        if (t + 1 < turns)
            fetch(stages[(t + 1) % 2], A, B, m, n, k, 32 * (t + 1));
        __pipeline_wait_prior(1);
        __syncthreads();
        const Stage &s = stages[t % 2];
#pragma unroll
        for (int i = 0; i < 32; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += s.a[threadIdx.y + 8 * j][i] * s.b[i][threadIdx.x];
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int row = blockIdx.y * 32 + threadIdx.y + 8 * j, col = blockIdx.x * 32 + threadIdx.x;
        if (row < m && col < n)
            C[(int64_t)row * n + col] = sum[j];
    }
}

static bool fits(int side) { return side >= 0 && side <= LESSON2_LARGEST_SIDE; }

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols, cudaStream_t stream)
{
    if (!fits(rows) || !fits(cols))
        return cudaErrorInvalidValue;
    if (rows && cols)
        transpose_cg<<<dim3((cols + 31) / 32, (rows + 31) / 32), 256, 0, stream>>>(in, out, rows,
                                                                                   cols);
    return cudaGetLastError();
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!fits(m) || !fits(n) || !fits(k))
        return cudaErrorInvalidValue;
    if (m && n)
        sgemm_async<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 8), 0, stream>>>(A, B, C, m, n,
                                                                                    k);
    return cudaGetLastError();
}
