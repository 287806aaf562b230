// Backward, step 1: all sums of gB are one line of steps.
//
// Changed: the solution cuts each tile of gB into equal parts, so that a part and a tile of gA are
// equal work; but the last round of blocks leaves places of the device empty. Here the steps of all
// tiles are one line, cut into as many pieces as there are places; a piece may be the end of one
// tile and the beginning of the next. And gY and Z are read past the cache, which gZ needs.
// Gained: a last round that is full. On an H200 4096 x 1024 x 1024 takes 363 us, where equal parts
// take 371 us, and cuBLAS 357 us for the two products alone (measured).
// The top of the steps.
#include "contracts/08_backward.h"
#include "tile_layout.h"

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

// Where things are in the workspace, all in floats:
//
//     gZ             m rows, pitch apart: a multiple of 4, so that each is made of whole float4
//     parts of gBias n each; none if there is one
//     slabs          tiles of partial sums of gB; none if its sums are not cut
//
// The sums of gB are one long line of steps, each TILE_DEPTH rows of a tile: tile after tile. It is
// cut into equal pieces, so that a piece may be the end of one tile and the beginning of the next.
// What piece i adds to tile t is slab i + t: along the line, one of the two goes up.
struct plan {
    int64_t pitch;
    int64_t bias_rows, bias_parts; // rows of gZ for each part of gBias, and how many parts
    int64_t gBias_parts, slabs, floats;
    int64_t gA_tiles, gB_tiles, gB_across, tile_steps, pieces;
};

enum { LANES = 32, WARPS = 8, THREADS = WARPS * LANES, BLOCK_COLS = 4 * LANES };
enum { LEAST_BIAS_ROWS = 64, MOST_BIAS_PARTS = 512, LEAST_STEPS = 16 };
enum { SLAB = TILE_ROWS * TILE_COLS };
enum { PLACES = 132 * TILE_BLOCKS }; // for blocks, on an H200; on others any number is right

static int64_t up_to_multiple(int64_t number, int64_t of)
{
    return parts_of(number, of) * of;
}

// A tile of gA is a sum of n products, and one of gB of m. If m is the longer side, pieces of about
// n make all blocks equal work. Where they fill the device more than once, there are as many more
// as the last round has places for.
static int64_t pieces_of(const struct plan &plan, int64_t n, int64_t room)
{
    int64_t length = parts_of(n, TILE_DEPTH), line = plan.gB_tiles * plan.tile_steps;
    int64_t wanted = parts_of(line, length > LEAST_STEPS ? length : LEAST_STEPS);
    int64_t filled = up_to_multiple(wanted + plan.gA_tiles, PLACES) - plan.gA_tiles;
    if (wanted + plan.gA_tiles > PLACES && filled < wanted + wanted / 8)
        wanted = filled;
    int64_t most = room / SLAB - plan.gB_tiles, pieces = wanted < most ? wanted : most;
    return pieces > plan.gB_tiles ? pieces : plan.gB_tiles;
}

static struct plan plan_of(int64_t m, int64_t n, int64_t k)
{
    struct plan plan = {up_to_multiple(n, 4)};
    int64_t most = (1 << 18) + 8 * (m * n + m * k + k * n), down = parts_of(k, TILE_ROWS);
    plan.bias_rows = up_to_multiple(parts_of(m, MOST_BIAS_PARTS), WARPS);
    if (plan.bias_rows < LEAST_BIAS_ROWS)
        plan.bias_rows = LEAST_BIAS_ROWS;
    plan.bias_parts = m > 0 ? parts_of(m, plan.bias_rows) : 1;
    plan.gBias_parts = m * plan.pitch;
    plan.slabs =
        plan.gBias_parts + up_to_multiple(plan.bias_parts > 1 ? plan.bias_parts * n : 0, 4);
    plan.gA_tiles = down * parts_of(m, TILE_ROWS);
    plan.gB_across = parts_of(n, TILE_COLS);
    plan.gB_tiles = down * plan.gB_across;
    plan.tile_steps = m > 0 ? parts_of(m, TILE_DEPTH) : 1;
    plan.pieces = pieces_of(plan, n, most - plan.slabs);
    plan.floats =
        plan.slabs + (plan.pieces > plan.gB_tiles ? (plan.pieces + plan.gB_tiles) * SLAB : 0);
    return plan;
}

static int64_t workspace_floats(int64_t m, int64_t n, int64_t k)
{
    return plan_of(m, n, k).floats;
}

// --- gZ, and parts of gBias ----------------------------------------------------------------------

// What a thread has of a row: four neighbours, or, where rows cannot be read by float4, four floats
// a warp apart. Either way neighbouring lanes read neighbours.
template <bool WIDE> static __device__ int column(int i)
{
    int lane = threadIdx.x % LANES;
    return blockIdx.x * BLOCK_COLS + (WIDE ? 4 * lane + i : lane + i * LANES);
}

template <bool WIDE>
static __device__ __forceinline__ void load_four(const float *row, int n, float (&to)[4])
{
    if (WIDE) { // nothing reads it again: gZ is what the cache should keep
        float4 quad = make_float4(0, 0, 0, 0);
        if (column<WIDE>(0) < n)
            quad = __ldcs((const float4 *)(row + column<WIDE>(0)));
        to[0] = quad.x;
        to[1] = quad.y;
        to[2] = quad.z;
        to[3] = quad.w;
    } else {
        for (int i = 0; i < 4; i++)
            if (column<WIDE>(i) < n)
                to[i] = row[column<WIDE>(i)];
    }
}

// What pads a row is 0.
template <bool WIDE>
static __device__ __forceinline__ void store_four(float *row, int pitch, const float (&from)[4])
{
    if (WIDE) {
        if (column<WIDE>(0) < pitch)
            *(float4 *)(row + column<WIDE>(0)) = make_float4(from[0], from[1], from[2], from[3]);
    } else {
        for (int i = 0; i < 4; i++)
            if (column<WIDE>(i) < pitch)
                row[column<WIDE>(i)] = from[i];
    }
}

// The sums of the block's columns, over its warps in turn.
template <bool WIDE>
static __device__ void add_warps(const float (&sum)[4], int n, float *to)
{
    __shared__ float s_sum[WARPS][BLOCK_COLS];
    int first = blockIdx.x * BLOCK_COLS, col = threadIdx.x;
    for (int i = 0; i < 4; i++)
        s_sum[threadIdx.x / LANES][column<WIDE>(i) - first] = sum[i];
    __syncthreads();
    if (col >= BLOCK_COLS || first + col >= n)
        return;
    float all = 0;
    for (int warp = 0; warp < WARPS; warp++)
        all += s_sum[warp][col];
    to[first + col] = all;
}

// A block takes BLOCK_COLS columns of some rows, each of its warps every WARPS-th row, and reads
// AT_ONCE of them before it uses the first.
template <enum quest_activation ACTIVATION, bool WIDE>
static __global__ void __launch_bounds__(THREADS)
    multiply_derivative(struct call call, float *gZ, int pitch, int rows, float *bias_parts)
{
    enum { AT_ONCE = 4 };
    int first = blockIdx.y * rows + threadIdx.x / LANES;
    int end = min(call.m, (int)(blockIdx.y + 1) * rows);
    float sum[4] = {0};
    for (int row = first; row < end; row += AT_ONCE * WARPS) {
        float gy[AT_ONCE][4] = {}, z[AT_ONCE][4] = {};
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            int64_t at = (int64_t)min(row + i * WARPS, end - 1) * call.n;
            load_four<WIDE>(call.gY + at, call.n, gy[i]);
            load_four<WIDE>(call.Z + at, call.n, z[i]);
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            if (row + i * WARPS >= end)
                break;
            float gz[4];
            for (int j = 0; j < 4; j++) {
                gz[j] = gy[i][j] * derivative(z[i][j], ACTIVATION, call.leaky_slope);
                sum[j] += gz[j];
            }
            store_four<WIDE>(gZ + (int64_t)(row + i * WARPS) * pitch, pitch, gz);
        }
    }
    if (bias_parts)
        add_warps<WIDE>(sum, call.n, bias_parts + (int64_t)blockIdx.y * call.n);
}

template <bool WIDE>
static void launch_derivative(const struct call &call, const struct plan &plan, float *workspace,
                              cudaStream_t stream)
{
    static void (*const KERNELS[])(struct call, float *, int, int, float *) = {
        multiply_derivative<QUEST_ACT_NONE, WIDE>,
        multiply_derivative<QUEST_ACT_RELU, WIDE>,
        multiply_derivative<QUEST_ACT_LEAKY_RELU, WIDE>,
        multiply_derivative<QUEST_ACT_SIGMOID, WIDE>,
        multiply_derivative<QUEST_ACT_TANH, WIDE>,
        multiply_derivative<QUEST_ACT_GELU_ERF, WIDE>,
        multiply_derivative<QUEST_ACT_GELU_TANH, WIDE>,
    };
    dim3 grid(parts_of(call.n, BLOCK_COLS), plan.bias_parts);
    float *bias_parts =
        call.gBias && plan.bias_parts > 1 ? workspace + plan.gBias_parts : call.gBias;
    KERNELS[call.activation]<<<grid, THREADS, 0, stream>>>(call, workspace, plan.pitch,
                                                           plan.bias_rows, bias_parts);
}

// --- Both products -------------------------------------------------------------------------------

// The line of gB's sums, and the pieces that it is cut into.
struct line {
    int64_t steps;
    int pieces, tile_steps, across;
};

static __device__ int64_t start_of(const struct line &line, int piece)
{
    return piece * line.steps / line.pieces;
}

// The piece that has this step.
static __device__ int piece_at(const struct line &line, int64_t step)
{
    return ((step + 1) * line.pieces - 1) / line.steps;
}

// gB = A^T gZ, or some steps of a tile's sums: neighbours in memory are neighbours across the sum.
// A slab has room for a whole tile.
template <enum tile_way A_WAY>
static __device__ __forceinline__ void steps_of_gB(const struct call &call, const float *gZ,
                                                   int pitch, const struct line &line, int tile,
                                                   int step, int steps, float *slab,
                                                   float *s_stages)
{
    int first_row = tile / line.across * TILE_ROWS, first_col = tile % line.across * TILE_COLS;
    int64_t from = (int64_t)step * TILE_DEPTH;
    struct tile_operand left = {call.A + from * call.k, call.k, call.k};
    struct tile_operand right = {gZ + from * pitch, pitch, pitch};
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_product<A_WAY, TILE_ACROSS_QUADS>(left, first_row, right, first_col,
                                           min(steps * TILE_DEPTH, (int)(call.m - from)), s_stages,
                                           sum);
    if (slab)
        tile_store(slab, TILE_ROWS, TILE_COLS, 0, 0, sum);
    else
        tile_store(call.gB, call.k, call.n, first_row, first_col, sum);
}

// A piece is shorter than a tile's sums, or all of them: two tiles at most have a part in it.
template <enum tile_way A_WAY>
static __device__ __forceinline__ void piece_of_gB(const struct call &call, const float *gZ,
                                                   int pitch, const struct line &line,
                                                   float *slabs, int piece, float *s_stages)
{
    int64_t start = start_of(line, piece);
    int tile = start / line.tile_steps, step = start % line.tile_steps;
    int left = start_of(line, piece + 1) - start;
#pragma unroll 1
    while (left > 0) {
        int steps = min(left, line.tile_steps - step);
        float *slab = slabs ? slabs + (int64_t)(piece + tile) * SLAB : NULL;
        steps_of_gB<A_WAY>(call, gZ, pitch, line, tile, step, steps, slab, s_stages);
        __syncthreads(); // the stages are used again
        left -= steps;
        step = 0;
        tile++;
    }
}

// gA = gZ B^T: neighbours in memory are neighbours along the sum.
static __device__ __forceinline__ void tile_of_gA(const struct call &call, const float *gZ,
                                                  int pitch, int tile, float *s_stages)
{
    int across = (call.k + TILE_COLS - 1) / TILE_COLS;
    int first_row = tile / across * TILE_ROWS, first_col = tile % across * TILE_COLS;
    struct tile_operand left = {gZ, call.m, pitch}, right = {call.B, call.k, call.n};
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_product<TILE_ALONG, TILE_ALONG>(left, first_row, right, first_col, call.n, s_stages, sum);
    tile_store(call.gA, call.m, call.k, first_row, first_col, sum);
}

// Blocks of both products are one grid: where one product ends, the other fills the device.
template <enum tile_way A_WAY>
static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    multiply_both(struct call call, const float *gZ, int pitch, struct line line, float *slabs)
{
    __shared__ __align__(16) float s_stages[TILE_STAGES_FLOATS];
    int block = blockIdx.x;
    if (block < line.pieces)
        piece_of_gB<A_WAY>(call, gZ, pitch, line, slabs, block, s_stages);
    else
        tile_of_gA(call, gZ, pitch, block - line.pieces, s_stages);
}

static struct line line_of(const struct plan &plan)
{
    return {plan.gB_tiles * plan.tile_steps, (int)plan.pieces, (int)plan.tile_steps,
            (int)plan.gB_across};
}

static void launch_products(const struct call &call, const struct plan &plan, float *workspace,
                            cudaStream_t stream)
{
    bool quads = (uintptr_t)call.A % sizeof(float4) == 0 && call.k % 4 == 0;
    float *slabs = plan.pieces > plan.gB_tiles ? workspace + plan.slabs : NULL;
    (quads ? multiply_both<TILE_ACROSS_QUADS> : multiply_both<TILE_ACROSS>)
        <<<plan.pieces + plan.gA_tiles, TILE_THREADS, 0, stream>>>(call, workspace, plan.pitch,
                                                                   line_of(plan), slabs);
}

// --- What was cut, added in a fixed order --------------------------------------------------------

enum { SLAB_BLOCKS = SLAB / 4 / THREADS }; // of which each thread adds four neighbours

static __device__ void add_slabs(const struct call &call, const struct line &line,
                                 const float *slabs, int block)
{
    int tile = block / SLAB_BLOCKS, inner = 4 * (block % SLAB_BLOCKS * THREADS + threadIdx.x);
    int row = tile / line.across * TILE_ROWS + inner / TILE_COLS;
    int col = tile % line.across * TILE_COLS + inner % TILE_COLS;
    int first = piece_at(line, (int64_t)tile * line.tile_steps);
    int last = piece_at(line, (int64_t)(tile + 1) * line.tile_steps - 1);
    bool aligned = (uintptr_t)call.gB % sizeof(float4) == 0 && call.n % 4 == 0;
    float sum[4] = {0};
    if (row >= call.k || col >= call.n)
        return;
#pragma unroll 4
    for (int piece = first; piece <= last; piece++) {
        float quad[4];
        tile_read_quad(slabs + (int64_t)(piece + tile) * SLAB + inner, quad);
        for (int i = 0; i < 4; i++)
            sum[i] += quad[i];
    }
    tile_store_quad(call.gB + (int64_t)row * call.n + col, sum, call.n - col, aligned);
}

// A column for each lane, and the parts shared by the warps.
static __device__ void add_bias_parts(const struct call &call, const float *bias_parts, int parts,
                                      int block)
{
    __shared__ float s_sum[WARPS][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, col = block * LANES + lane;
    float sum = 0;
#pragma unroll 8
    for (int part = warp; part < parts; part += WARPS)
        sum += col < call.n ? bias_parts[(int64_t)part * call.n + col] : 0;
    s_sum[warp][lane] = sum;
    __syncthreads();
    if (warp > 0 || col >= call.n)
        return;
    for (int other = 1; other < WARPS; other++)
        sum += s_sum[other][lane];
    call.gBias[col] = sum;
}

static __global__ void __launch_bounds__(THREADS)
    add_all(struct call call, const float *bias_parts, int parts, int bias_blocks,
            struct line line, const float *slabs)
{
    if (blockIdx.x < bias_blocks)
        add_bias_parts(call, bias_parts, parts, blockIdx.x);
    else
        add_slabs(call, line, slabs, blockIdx.x - bias_blocks);
}

static void launch_sums(const struct call &call, const struct plan &plan, const float *workspace,
                        cudaStream_t stream)
{
    int64_t bias_blocks = call.gBias && plan.bias_parts > 1 ? parts_of(call.n, LANES) : 0;
    int64_t slab_blocks = plan.pieces > plan.gB_tiles ? plan.gB_tiles * SLAB_BLOCKS : 0;
    if (bias_blocks + slab_blocks > 0)
        add_all<<<bias_blocks + slab_blocks, THREADS, 0, stream>>>(
            call, workspace + plan.gBias_parts, plan.bias_parts, bias_blocks, line_of(plan),
            workspace + plan.slabs);
}

static void launch(const struct call &call, float *workspace, cudaStream_t stream)
{
    struct plan plan = plan_of(call.m, call.n, call.k);
    bool wide = ((uintptr_t)call.gY | (uintptr_t)call.Z) % sizeof(float4) == 0 && call.n % 4 == 0;
    if (call.n > 0)
        (wide ? launch_derivative<true> : launch_derivative<false>)(call, plan, workspace, stream);
    if (call.k > 0)
        launch_products(call, plan, workspace, stream);
    launch_sums(call, plan, workspace, stream);
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
