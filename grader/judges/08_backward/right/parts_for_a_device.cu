// expect: PASS
// How many parts the sums of gB have is chosen so that the tiles are as many as an H200 holds
// twice over, whatever the device.
#include "contracts/08_backward.h"
#include "tile_layout.h"

// Products of operands that are stored along the sum, or across, are given: tile_product() in
// common/tile_layout.h. This lesson is about what is around them: act' and the sums of the bias,
// how many tiles there are, and how often gZ travels.

struct call {
    const float *A, *B, *gY, *Z;
    float *gA, *gB, *gBias; // gBias may be NULL
    int m, n, k;
    enum quest_activation activation;
    float leaky_slope;
};

// The derivative of the activation. A comparison with NaN is false, so z must be what is left. Past
// 10 each GELU has reached its limit, where an infinity times 0 would be NaN.
static __device__ float derivative(float z, enum quest_activation activation, float leaky_slope)
{
    const float sqrt_half = 0.70710678f, root_of_2_pi_inverse = 0.39894228f;
    const float twice_sqrt_2_over_pi = 1.5957691f, cubic = 0.044715f;
    switch (activation) {
    case QUEST_ACT_RELU:
        return z > 0 ? 1 : z <= 0 ? 0 : z;
    case QUEST_ACT_LEAKY_RELU:
        return z > 0 ? 1 : z <= 0 ? leaky_slope : z;
    case QUEST_ACT_SIGMOID: {
        float s = 1 / (1 + expf(-z));
        return s * (1 - s);
    }
    case QUEST_ACT_TANH: {
        float t = tanhf(z);
        return 1 - t * t;
    }
    case QUEST_ACT_GELU_ERF:
        if (fabsf(z) > 10)
            return z > 0;
        return 0.5f * (1 + erff(sqrt_half * z)) + z * root_of_2_pi_inverse * expf(-0.5f * z * z);
    case QUEST_ACT_GELU_TANH: { // (1 + tanh u) / 2 is the sigmoid of 2u, and e s is 1 - s
        if (fabsf(z) > 10)
            return z > 0;
        float e = __expf(-twice_sqrt_2_over_pi * (z + cubic * z * z * z));
        float s = __fdividef(1, 1 + e);
        return s + z * s * (e * s) * twice_sqrt_2_over_pi * (1 + 3 * cubic * z * z);
    }
    case QUEST_ACT_NONE:
        break;
    }
    return 1;
}

static __host__ __device__ int64_t parts_of(int64_t whole, int64_t part)
{
    return (whole + part - 1) / part;
}

struct plan {
    int row_blocks, block_rows;    // of the pass that makes gZ
    int tiles_a, tiles_b;          // of gA and gB
    int parts, part_steps;         // of each sum of gB
    int64_t sums, pieces, floats; // offsets in the workspace, and its size
};

static int64_t up4(int64_t x)
{
    return (x + 3) / 4 * 4;
}

static struct plan plan_of(int64_t m, int64_t n, int64_t k)
{
    struct plan p = {};
    int64_t rows = parts_of(m, 256) > 64 ? parts_of(m, 256) : 64;
    p.block_rows = (int)rows;
    p.row_blocks = (int)parts_of(m, rows);
    p.tiles_a = (int)(parts_of(m, TILE_SIDE) * parts_of(k, TILE_SIDE));
    p.tiles_b = (int)(parts_of(k, TILE_SIDE) * parts_of(n, TILE_SIDE));
    int64_t parts = 1;
    if (p.tiles_b > 0) {
        int64_t level = m / (n > 256 ? n : 256);
        int64_t fill = p.tiles_a < 528 ? (528 - p.tiles_a) / p.tiles_b : 1;
        int64_t room = 4 + (4 * m * n + 4 * m * k) / (k * n), longest = m / 128;
        parts = level > fill ? level : fill;
        parts = parts < room ? parts : room;
        parts = parts < longest ? parts : longest;
        parts = parts > 1 ? parts : 1;
    }
    p.part_steps = (int)(parts_of(parts_of(m, parts), 16) * 16);
    p.parts = m > 0 ? (int)parts_of(m, p.part_steps) : 1;
    p.sums = up4(m * n);
    p.pieces = p.sums + up4((int64_t)p.row_blocks * n);
    p.floats = p.pieces + (p.parts > 1 ? up4(p.parts * k * n) : 0);
    return p;
}

static int64_t workspace_floats(int64_t m, int64_t n, int64_t k)
{
    return plan_of(m, n, k).floats;
}

// A warp has 32 columns; a block, so many rows of them.
static __global__ void __launch_bounds__(256)
    make_gZ(struct call call, float *gZ, float *sums, int block_rows)
{
    __shared__ float s_sum[8][33];
    const int col = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * block_rows;
    const int last = min(call.m, first + block_rows);
    float sum = 0;
    if (col < call.n) {
#pragma unroll 4
        for (int row = first + threadIdx.y; row < last; row += 8) {
            const int64_t i = (int64_t)row * call.n + col;
            const float g = call.gY[i] * derivative(call.Z[i], call.activation, call.leaky_slope);
            gZ[i] = g;
            sum += g;
        }
    }
    s_sum[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && col < call.n) {
        for (int i = 1; i < 8; i++)
            sum += s_sum[i][threadIdx.x];
        sums[(int64_t)blockIdx.y * call.n + col] = sum;
    }
}

// Tiles of gA, and after them the parts of the tiles of gB.
template <tile_way A_WAY, tile_way GZ_WAY>
static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    both_products(struct call call, const float *gZ, float *pieces, struct plan plan)
{
    __shared__ __align__(16) float s_stages[TILE_STAGES_FLOATS];
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    int tile = blockIdx.x;
    if (tile < plan.tiles_a) {
        int across = (call.k + TILE_SIDE - 1) / TILE_SIDE;
        int row = tile / across * TILE_SIDE, col = tile % across * TILE_SIDE;
        struct tile_operand left = {gZ, call.m, call.n}, right = {call.B, call.k, call.n};
        tile_product<TILE_ALONG, TILE_ALONG>(left, row, right, col, call.n, s_stages, sum);
        tile_store(call.gA, call.m, call.k, row, col, sum);
    } else {
        tile -= plan.tiles_a;
        int part = tile / plan.tiles_b, across = (call.n + TILE_SIDE - 1) / TILE_SIDE;
        tile %= plan.tiles_b;
        int row = tile / across * TILE_SIDE, col = tile % across * TILE_SIDE;
        int first = part * plan.part_steps, steps = min(plan.part_steps, call.m - first);
        struct tile_operand left = {call.A + (int64_t)first * call.k, call.k, call.k};
        struct tile_operand right = {gZ + (int64_t)first * call.n, call.n, call.n};
        tile_product<A_WAY, GZ_WAY>(left, row, right, col, steps, s_stages, sum);
        float *to = plan.parts > 1 ? pieces + (int64_t)part * call.k * call.n : call.gB;
        tile_store(to, call.k, call.n, row, col, sum);
    }
}

static __global__ void __launch_bounds__(256)
    add_up(struct call call, const float *sums, const float *pieces, struct plan plan)
{
    const int64_t count = plan.parts > 1 ? (int64_t)call.k * call.n : 0;
    const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (i < count) {
        float sum = pieces[i];
        for (int part = 1; part < plan.parts; part++)
            sum += pieces[part * count + i];
        call.gB[i] = sum;
    } else if (call.gBias && i - count < call.n) {
        float sum = 0;
#pragma unroll 8
        for (int block = 0; block < plan.row_blocks; block++)
            sum += sums[(int64_t)block * call.n + (i - count)];
        call.gBias[i - count] = sum;
    }
}

static void launch(const struct call &call, float *workspace, cudaStream_t stream)
{
    const struct plan plan = plan_of(call.m, call.n, call.k);
    float *gZ = workspace, *sums = workspace + plan.sums, *pieces = workspace + plan.pieces;
    if (plan.row_blocks > 0 && call.n > 0)
        make_gZ<<<dim3((unsigned)parts_of(call.n, 32), (unsigned)plan.row_blocks), dim3(32, 8), 0,
                  stream>>>(call, gZ, sums, plan.block_rows);
    const unsigned blocks = (unsigned)(plan.tiles_a + plan.tiles_b * plan.parts);
    const bool a_wide = (uintptr_t)call.A % 16 == 0 && call.k % 4 == 0, z_wide = call.n % 4 == 0;
    if (blocks > 0) {
        if (a_wide && z_wide)
            both_products<TILE_ACROSS_QUADS, TILE_ACROSS_QUADS>
                <<<blocks, TILE_THREADS, 0, stream>>>(call, gZ, pieces, plan);
        else if (a_wide)
            both_products<TILE_ACROSS_QUADS, TILE_ACROSS>
                <<<blocks, TILE_THREADS, 0, stream>>>(call, gZ, pieces, plan);
        else if (z_wide)
            both_products<TILE_ACROSS, TILE_ACROSS_QUADS>
                <<<blocks, TILE_THREADS, 0, stream>>>(call, gZ, pieces, plan);
        else
            both_products<TILE_ACROSS, TILE_ACROSS>
                <<<blocks, TILE_THREADS, 0, stream>>>(call, gZ, pieces, plan);
    }
    const int64_t of_gB = plan.parts > 1 ? (int64_t)call.k * call.n : 0;
    const int64_t last = of_gB + (call.gBias ? call.n : 0);
    if (last > 0)
        add_up<<<(unsigned)parts_of(last, 256), 256, 0, stream>>>(call, sums, pieces, plan);
}

static bool is_side(int64_t side)
{
    return side >= 0 && side <= LESSON8_LARGEST_SIDE;
}

static bool is_refused(const struct quest_gemm *gemm)
{
    return !is_side(gemm->m) || !is_side(gemm->n) || !is_side(gemm->k) ||
           gemm->m * gemm->n > LESSON8_MOST_ELEMENTS || gemm->m * gemm->k > LESSON8_MOST_ELEMENTS ||
           gemm->k * gemm->n > LESSON8_MOST_ELEMENTS || gemm->transpose_a || gemm->transpose_b ||
           !gemm->save_z || gemm->activation < QUEST_ACT_NONE ||
           gemm->activation > QUEST_ACT_GELU_TANH;
}

static bool has_outputs(const struct quest_gemm *gemm)
{
    return gemm->m * gemm->k > 0 || gemm->k * gemm->n > 0 || (gemm->with_bias && gemm->n > 0);
}

static size_t workspace_for(const struct quest_gemm *gemm)
{
    if (is_refused(gemm) || !has_outputs(gemm))
        return 0;
    return (size_t)parts_of(workspace_floats(gemm->m, gemm->n, gemm->k), 4) * 16;
}

size_t lesson8_workspace(const struct quest_gemm *gemm)
{
    return workspace_for(gemm);
}

cudaError_t lesson8_gemm_bias_act_backward(const float *A, const float *B, const float *gY,
                                           const float *Z, float *gA, float *gB, float *gBias,
                                           const struct quest_gemm *gemm, void *workspace,
                                           size_t workspace_bytes, cudaStream_t stream)
{
    if (is_refused(gemm) || (gBias != NULL) != gemm->with_bias ||
        workspace_bytes < workspace_for(gemm))
        return cudaErrorInvalidValue;
    struct call call = {A, B, gY, Z, gA, gB, gBias, (int)gemm->m, (int)gemm->n, (int)gemm->k,
                        gemm->activation, gemm->leaky_slope};
    if (has_outputs(gemm))
        launch(call, (float *)workspace, stream);
    return cudaGetLastError();
}
