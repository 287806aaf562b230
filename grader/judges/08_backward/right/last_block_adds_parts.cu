// expect: PASS
// Two launches. The second has the sums of the bias, all parts of gB and all tiles of gA; the block
// that finishes the last part of a tile of gB adds its parts, in the order of their numbers.
#include "contracts/08_backward.h"
#include "tile_layout.h"

#include <algorithm>
#include <cuda/std/cmath>

namespace {

using i64 = int64_t;

struct Inputs {
    const float *A, *B, *gY, *Z;
    float *gA, *gB, *gBias;
    int m, n, k;
    quest_activation activation;
    float slope;
};

constexpr i64 ceil_div(i64 a, i64 b)
{
    return (a + b - 1) / b;
}

struct Plan {
    int rows, chunks;                // of gZ: rows of a chunk, whose column sums are a row of sums
    int depth, parts;                // of gB
    int tiles_b, across_b;           // tiles of gB; beside each other
    int tiles_a, across_a;
    int bias_blocks;
    size_t sums, slabs, arrived;     // places in the workspace, in floats; gZ is first
    size_t floats;

    explicit Plan(const quest_gemm &g)
    {
        const i64 m = g.m, n = g.n, k = g.k;
        rows = (int)std::max<i64>(64, ceil_div(m, 256));
        chunks = (int)ceil_div(m, rows);
        depth = (int)ceil_div(std::max({n, i64{256}, ceil_div(m, 1024)}), TILE_DEPTH) * TILE_DEPTH;
        parts = (int)std::max<i64>(1, ceil_div(m, depth));
        across_b = (int)ceil_div(n, TILE_COLS);
        tiles_b = (int)(across_b * ceil_div(k, TILE_ROWS));
        across_a = (int)ceil_div(k, TILE_COLS);
        tiles_a = (int)(across_a * ceil_div(m, TILE_ROWS));
        bias_blocks = g.with_bias ? (int)ceil_div(n, 32) : 0;
        size_t top = 0;
        const auto take = [&top](i64 count) {
            const size_t at = top;
            top += (size_t)ceil_div(count, 4) * 4;
            return at;
        };
        take(m * n);
        sums = take(g.with_bias ? chunks * n : 0);
        slabs = take(parts > 1 ? parts * k * n : 0);
        arrived = take(parts > 1 ? tiles_b : 0);
        floats = top;
    }
};

template <quest_activation> __device__ float slope_at(float z, float leaky);

template <> __device__ __forceinline__ float slope_at<QUEST_ACT_NONE>(float, float)
{
    return 1;
}
template <> __device__ __forceinline__ float slope_at<QUEST_ACT_RELU>(float z, float)
{
    return z > 0 ? 1 : z <= 0 ? 0 : z;
}
template <> __device__ __forceinline__ float slope_at<QUEST_ACT_LEAKY_RELU>(float z, float leaky)
{
    return z > 0 ? 1 : z <= 0 ? leaky : z;
}
template <> __device__ __forceinline__ float slope_at<QUEST_ACT_SIGMOID>(float z, float)
{
    // symmetric, so the exponential can always be that of a negative number
    const float e = expf(-fabsf(z)), s = 1 / (1 + e);
    return e * s * s;
}
template <> __device__ __forceinline__ float slope_at<QUEST_ACT_TANH>(float z, float)
{
    const float e = expf(-2 * fabsf(z)), s = 1 / (1 + e); // 1 / cosh^2
    return 4 * e * s * s;
}
template <> __device__ __forceinline__ float slope_at<QUEST_ACT_GELU_ERF>(float z, float)
{
    if (fabsf(z) > 10)
        return z > 0;
    return 0.5f * erfcf(-0.70710678f * z) + z * 0.39894228f * expf(-0.5f * z * z);
}
template <> __device__ __forceinline__ float slope_at<QUEST_ACT_GELU_TANH>(float z, float)
{
    if (fabsf(z) > 10)
        return z > 0;
    const float twice = 1.5957691f, cubic = 0.044715f;
    const float e = expf(-twice * (z + cubic * z * z * z)), s = 1 / (1 + e);
    return s + z * s * (e * s) * twice * (1 + 3 * cubic * z * z);
}

// gZ, the sums of the columns of each chunk, and nobody has arrived yet.
template <quest_activation ACT>
__global__ void __launch_bounds__(256) make_gz(Inputs in, Plan plan, float *space)
{
    __shared__ float s_sum[8][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int col = blockIdx.x * 32 + lane;
    const int first = blockIdx.y * plan.rows, end = min(first + plan.rows, in.m);
    float sum = 0;
    if (col < in.n) {
#pragma unroll 4
        for (int row = first + warp; row < end; row += 8) {
            const i64 at = (i64)row * in.n + col;
            const float g = in.gY[at] * slope_at<ACT>(in.Z[at], in.slope);
            space[at] = g;
            sum += g;
        }
    }
    s_sum[warp][lane] = sum;
    __syncthreads();
    if (in.gBias && warp == 0 && col < in.n) {
        for (int w = 1; w < 8; w++)
            sum += s_sum[w][lane];
        space[plan.sums + (size_t)blockIdx.y * in.n + col] = sum;
    }
    if (plan.parts > 1) {
        const int threads = gridDim.x * gridDim.y * 256;
        for (int i = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.x; i < plan.tiles_b;
             i += threads)
            reinterpret_cast<unsigned *>(space + plan.arrived)[i] = 0;
    }
}

__device__ void bias_of(const Inputs &in, const Plan &plan, const float *space, int block, float *s)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, col = block * 32 + lane;
    float sum = 0;
    if (col < in.n)
        for (int chunk = warp; chunk < plan.chunks; chunk += 8)
            sum += space[plan.sums + (size_t)chunk * in.n + col];
    s[threadIdx.x] = sum;
    __syncthreads();
    if (warp == 0 && col < in.n) {
        for (int w = 1; w < 8; w++)
            sum += s[w * 32 + lane];
        in.gBias[col] = sum;
    }
}

__device__ void part_of_gb(const Inputs &in, const Plan &plan, float *space, int tile, int part,
                           float *s)
{
    __shared__ bool s_last;
    const int row = tile / plan.across_b * TILE_ROWS, col = tile % plan.across_b * TILE_COLS;
    const int first = part * plan.depth, steps = min(in.m - first, plan.depth);
    const tile_operand left = {in.A + (i64)first * in.k, in.k, in.k};
    const tile_operand right = {space + (i64)first * in.n, in.n, in.n};
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    if (reinterpret_cast<uintptr_t>(in.A) % 16 == 0 && in.k % 4 == 0 && in.n % 4 == 0)
        tile_product<TILE_ACROSS_QUADS, TILE_ACROSS_QUADS>(left, row, right, col, steps, s, sum);
    else
        tile_product<TILE_ACROSS, TILE_ACROSS>(left, row, right, col, steps, s, sum);
    if (plan.parts == 1) {
        tile_store(in.gB, in.k, in.n, row, col, sum);
        return;
    }
    const size_t slab = (size_t)in.k * in.n;
    float *slabs = space + plan.slabs;
    tile_store(slabs + part * slab, in.k, in.n, row, col, sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned *arrived = reinterpret_cast<unsigned *>(space + plan.arrived) + tile;
        s_last = atomicAdd(arrived, 1u) == (unsigned)plan.parts - 1;
        __threadfence();
    }
    __syncthreads();
    if (!s_last)
        return;
    const int c = col + threadIdx.x % TILE_COLS, bottom = min(row + TILE_ROWS, in.k);
    if (c >= in.n)
        return;
#pragma unroll 4
    for (int r = row + threadIdx.x / TILE_COLS; r < bottom; r += TILE_THREADS / TILE_COLS) {
        const float *from = slabs + (size_t)r * in.n + c;
        float total = __ldcg(from);
        for (int p = 1; p < plan.parts; p++)
            total += __ldcg(from + p * slab);
        in.gB[(size_t)r * in.n + c] = total;
    }
}

__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    everything(Inputs in, Plan plan, float *space)
{
    __shared__ __align__(16) float s[TILE_STAGES_FLOATS];
    int block = blockIdx.x;
    if (block < plan.bias_blocks) {
        bias_of(in, plan, space, block, s);
        return;
    }
    block -= plan.bias_blocks;
    if (block < plan.tiles_b * plan.parts) {
        part_of_gb(in, plan, space, block % plan.tiles_b, block / plan.tiles_b, s);
        return;
    }
    block -= plan.tiles_b * plan.parts;
    const int row = block / plan.across_a * TILE_ROWS, col = block % plan.across_a * TILE_COLS;
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_product<TILE_ALONG, TILE_ALONG>({space, in.m, in.n}, row, {in.B, in.k, in.n}, col, in.n, s,
                                         sum);
    tile_store(in.gA, in.m, in.k, row, col, sum);
}

template <quest_activation ACT>
void launch(const Inputs &in, const Plan &plan, float *space, cudaStream_t stream)
{
    if (in.m > 0 && in.n > 0)
        make_gz<ACT><<<dim3((unsigned)ceil_div(in.n, 32), plan.chunks), 256, 0, stream>>>(in, plan,
                                                                                         space);
    const int blocks = plan.bias_blocks + plan.tiles_b * plan.parts + plan.tiles_a;
    everything<<<blocks, TILE_THREADS, 0, stream>>>(in, plan, space);
}

bool refused(const quest_gemm &g)
{
    for (const i64 side : {g.m, g.n, g.k})
        if (side < 0 || side > LESSON8_LARGEST_SIDE)
            return true;
    for (const i64 size : {g.m * g.n, g.m * g.k, g.k * g.n})
        if (size > LESSON8_MOST_ELEMENTS)
            return true;
    return g.transpose_a || g.transpose_b || !g.save_z || (int)g.activation < QUEST_ACT_NONE ||
           (int)g.activation > QUEST_ACT_GELU_TANH;
}

bool nothing(const quest_gemm &g)
{
    return !(g.m && g.k) && !(g.k && g.n) && !(g.with_bias && g.n);
}

} // namespace

extern "C" size_t lesson8_workspace(const quest_gemm *gemm)
{
    return refused(*gemm) || nothing(*gemm) ? 0 : std::max<size_t>(Plan(*gemm).floats * 4, 16);
}

extern "C" cudaError_t
lesson8_gemm_bias_act_backward(const float *A, const float *B, const float *gY,
                               const float *Z, float *gA, float *gB,
                               float *gBias, const quest_gemm *gemm,
                               void *workspace, size_t workspace_bytes,
                               cudaStream_t stream)
{
    if (refused(*gemm) || (gBias != nullptr) != gemm->with_bias ||
        workspace_bytes < lesson8_workspace(gemm))
        return cudaErrorInvalidValue;
    if (nothing(*gemm))
        return cudaSuccess;
    const Plan plan(*gemm);
    const Inputs in = {A, B, gY, Z, gA, gB, gBias, (int)gemm->m, (int)gemm->n, (int)gemm->k,
                       gemm->activation, gemm->leaky_slope};
    float *space = static_cast<float *>(workspace);
    switch (gemm->activation) {
    case QUEST_ACT_NONE: launch<QUEST_ACT_NONE>(in, plan, space, stream); break;
    case QUEST_ACT_RELU: launch<QUEST_ACT_RELU>(in, plan, space, stream); break;
    case QUEST_ACT_LEAKY_RELU: launch<QUEST_ACT_LEAKY_RELU>(in, plan, space, stream); break;
    case QUEST_ACT_SIGMOID: launch<QUEST_ACT_SIGMOID>(in, plan, space, stream); break;
    case QUEST_ACT_TANH: launch<QUEST_ACT_TANH>(in, plan, space, stream); break;
    case QUEST_ACT_GELU_ERF: launch<QUEST_ACT_GELU_ERF>(in, plan, space, stream); break;
    case QUEST_ACT_GELU_TANH: launch<QUEST_ACT_GELU_TANH>(in, plan, space, stream); break;
    }
    return cudaGetLastError();
}
