// Lesson 8, the backward epilogue. First `make notes`, and read build/notes/08_backward.html.
// What the launcher must do: common/contracts/08_backward.h
// Judge it with: make check-lesson8        Stuck? make hint-lesson8
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

// quest: begin
// Where things are in the workspace, all in floats:
//
//     gZ              m rows, pitch apart: a multiple of 4, so that each is made of whole float4
//     parts of gBias  n each; none if there is one part, which is gBias itself
//     parts of gB     k x n each; none if there is one
struct plan {
    int64_t pitch;
    int64_t bias_rows, bias_parts; // rows of gZ for each part of gBias, and how many parts
    int64_t sum_rows, sum_parts;   // the same of gB
    int64_t gBias_parts, gB_parts, floats;
};

enum { LANES = 32, WARPS = 8, THREADS = WARPS * LANES, THREAD_COLS = 4 };
enum { BLOCK_COLS = THREAD_COLS * LANES };
enum { LEAST_BIAS_ROWS = 64, MOST_BIAS_PARTS = 512, LEAST_SUM_ROWS = 256 };

static int64_t up_to_multiple(int64_t number, int64_t of)
{
    return parts_of(number, of) * of;
}

// A tile of gA is a sum of n products, and one of gB of m. If m is the longer side, sums of gB are
// cut into parts of about n: then all tiles are equal work, and there are more of them to share.
// The parts of gB together are about as large as A.
static int64_t sum_rows_of(int64_t m, int64_t n)
{
    int64_t parts = parts_of(m, n > LEAST_SUM_ROWS ? n : LEAST_SUM_ROWS);
    return m > 0 ? up_to_multiple(parts_of(m, parts), TILE_DEPTH) : TILE_DEPTH;
}

static struct plan plan_of(int64_t m, int64_t n, int64_t k)
{
    struct plan plan = {up_to_multiple(n, 4)};
    plan.bias_rows = up_to_multiple(parts_of(m, MOST_BIAS_PARTS), WARPS);
    if (plan.bias_rows < LEAST_BIAS_ROWS)
        plan.bias_rows = LEAST_BIAS_ROWS;
    plan.bias_parts = m > 0 ? parts_of(m, plan.bias_rows) : 1;
    plan.gBias_parts = m * plan.pitch;
    plan.gB_parts =
        plan.gBias_parts + up_to_multiple(plan.bias_parts > 1 ? plan.bias_parts * n : 0, 4);
    plan.sum_rows = sum_rows_of(m, n);
    plan.sum_parts = m > 0 ? parts_of(m, plan.sum_rows) : 1;
    plan.floats = plan.gB_parts + (plan.sum_parts > 1 ? plan.sum_parts * k * n : 0);
    return plan;
}

static int64_t workspace_floats(int64_t m, int64_t n, int64_t k)
{
    return plan_of(m, n, k).floats;
}

// --- gZ, and parts of gBias ----------------------------------------------------------------------

// What a thread has of a row: floats a warp apart, so that neighbouring lanes read neighbours.
static __device__ int column(int i)
{
    return blockIdx.x * BLOCK_COLS + threadIdx.x % LANES + i * LANES;
}

// The sums of the block's columns, over its warps in turn.
static __device__ void add_warps(const float (&sum)[THREAD_COLS], int n, float *to)
{
    __shared__ float s_sum[WARPS][BLOCK_COLS];
    int first = blockIdx.x * BLOCK_COLS, col = threadIdx.x;
    for (int i = 0; i < THREAD_COLS; i++)
        s_sum[threadIdx.x / LANES][column(i) - first] = sum[i];
    __syncthreads();
    if (col >= BLOCK_COLS || first + col >= n)
        return;
    float all = 0;
    for (int warp = 0; warp < WARPS; warp++)
        all += s_sum[warp][col];
    to[first + col] = all;
}

// A block takes BLOCK_COLS columns of some rows, each of its warps every WARPS-th row, and reads
// AT_ONCE of them before it uses the first. What pads a row of gZ is 0.
template <enum quest_activation ACTIVATION>
static __global__ void __launch_bounds__(THREADS)
    multiply_derivative(struct call call, float *gZ, int pitch, int rows, float *bias_parts)
{
    enum { AT_ONCE = 4 };
    int first = blockIdx.y * rows + threadIdx.x / LANES;
    int end = min(call.m, (int)(blockIdx.y + 1) * rows);
    float sum[THREAD_COLS] = {0};
    for (int top = first; top < end; top += AT_ONCE * WARPS) {
        float gy[AT_ONCE][THREAD_COLS] = {}, z[AT_ONCE][THREAD_COLS] = {};
#pragma unroll
        for (int i = 0; i < AT_ONCE * THREAD_COLS; i++) {
            int row = top + i / THREAD_COLS * WARPS, col = column(i % THREAD_COLS);
            int64_t at = (int64_t)row * call.n + col;
            if (row < end && col < call.n) {
                gy[i / THREAD_COLS][i % THREAD_COLS] = call.gY[at];
                z[i / THREAD_COLS][i % THREAD_COLS] = call.Z[at];
            }
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE * THREAD_COLS; i++) {
            int row = top + i / THREAD_COLS * WARPS, col = column(i % THREAD_COLS);
            float gz = gy[i / THREAD_COLS][i % THREAD_COLS] *
                       derivative(z[i / THREAD_COLS][i % THREAD_COLS], ACTIVATION,
                                  call.leaky_slope);
            if (row < end && col < pitch)
                gZ[(int64_t)row * pitch + col] = gz;
            sum[i % THREAD_COLS] += gz;
        }
    }
    if (bias_parts)
        add_warps(sum, call.n, bias_parts + (int64_t)blockIdx.y * call.n);
}

static void launch_derivative(const struct call &call, const struct plan &plan, float *workspace,
                              cudaStream_t stream)
{
    static void (*const KERNELS[])(struct call, float *, int, int, float *) = {
        multiply_derivative<QUEST_ACT_NONE>,       multiply_derivative<QUEST_ACT_RELU>,
        multiply_derivative<QUEST_ACT_LEAKY_RELU>, multiply_derivative<QUEST_ACT_SIGMOID>,
        multiply_derivative<QUEST_ACT_TANH>,       multiply_derivative<QUEST_ACT_GELU_ERF>,
        multiply_derivative<QUEST_ACT_GELU_TANH>,
    };
    dim3 grid(parts_of(call.n, BLOCK_COLS), plan.bias_parts);
    float *bias_parts =
        call.gBias && plan.bias_parts > 1 ? workspace + plan.gBias_parts : call.gBias;
    KERNELS[call.activation]<<<grid, THREADS, 0, stream>>>(call, workspace, plan.pitch,
                                                           plan.bias_rows, bias_parts);
}

// --- Both products -------------------------------------------------------------------------------


// gB = A^T gZ, or a part of its sum: neighbours in memory are neighbours across the sum.
template <enum tile_way A_WAY>
static __device__ __forceinline__ void tile_of_gB(const struct call &call, const float *gZ,
                                                  int pitch, int sum_rows, float *to, int tile,
                                                  float *s_stages)
{
    int across = (call.n + TILE_COLS - 1) / TILE_COLS, down = (call.k + TILE_ROWS - 1) / TILE_ROWS;
    int part = tile / (across * down), first_row = tile / across % down * TILE_ROWS;
    int first_col = tile % across * TILE_COLS;
    int64_t from = (int64_t)part * sum_rows;
    struct tile_operand left = {call.A + from * call.k, call.k, call.k};
    struct tile_operand right = {gZ + from * pitch, pitch, pitch};
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_product<A_WAY, TILE_ACROSS_QUADS>(left, first_row, right, first_col,
                                           min(sum_rows, (int)(call.m - from)), s_stages, sum);
    tile_store(to + (int64_t)part * call.k * call.n, call.k, call.n, first_row, first_col, sum);
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

// Tiles of both products are one grid: where one product ends, the other fills the device.
template <enum tile_way A_WAY>
static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    multiply_both(struct call call, const float *gZ, int pitch, int sum_rows, float *gB,
                  int gB_tiles)
{
    __shared__ __align__(16) float s_stages[TILE_STAGES_FLOATS];
    int tile = blockIdx.x;
    if (tile < gB_tiles)
        tile_of_gB<A_WAY>(call, gZ, pitch, sum_rows, gB, tile, s_stages);
    else
        tile_of_gA(call, gZ, pitch, tile - gB_tiles, s_stages);
}

static void launch_products(const struct call &call, const struct plan &plan, float *workspace,
                            cudaStream_t stream)
{
    bool quads = (uintptr_t)call.A % sizeof(float4) == 0 && call.k % 4 == 0;
    int64_t down = parts_of(call.k, TILE_ROWS);
    int64_t gB_tiles = down * parts_of(call.n, TILE_COLS) * plan.sum_parts;
    int64_t gA_tiles = down * parts_of(call.m, TILE_ROWS);
    float *gB = plan.sum_parts > 1 ? workspace + plan.gB_parts : call.gB;
    (quads ? multiply_both<TILE_ACROSS_QUADS> : multiply_both<TILE_ACROSS>)
        <<<gB_tiles + gA_tiles, TILE_THREADS, 0, stream>>>(call, workspace, plan.pitch,
                                                           plan.sum_rows, gB, gB_tiles);
}

// --- The sums of parts ---------------------------------------------------------------------------

// Each number is the sum of as many as there are parts, always in the same order.
struct parted {
    const float *from;
    float *to;
    int64_t count;
    int parts;
};

static __device__ void add_parts(const struct parted &all, int64_t block)
{
    int64_t first = 4 * (block * THREADS + threadIdx.x);
    bool aligned = (uintptr_t)all.to % sizeof(float4) == 0 && all.count % 4 == 0;
    float sum[4] = {0};
    for (int part = 0; part < all.parts; part++) {
        const float *from = all.from + part * all.count + first;
        float quad[4] = {0};
        if (all.count % 4 == 0 && first < all.count)
            tile_read_quad(from, quad);
        else
            for (int i = 0; i < 4; i++)
                if (first + i < all.count)
                    quad[i] = from[i];
        for (int i = 0; i < 4; i++)
            sum[i] += quad[i];
    }
    if (first < all.count)
        tile_store_quad(all.to + first, sum, (int)min(all.count - first, (int64_t)4), aligned);
}

// Of few long sums: a column for each lane, and the parts shared by the warps.
static __device__ void add_many_parts(const struct parted &all, int64_t block)
{
    __shared__ float s_sum[WARPS][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    int64_t col = block * LANES + lane;
    float sum = 0;
#pragma unroll 8
    for (int part = warp; part < all.parts; part += WARPS)
        sum += col < all.count ? all.from[part * all.count + col] : 0;
    s_sum[warp][lane] = sum;
    __syncthreads();
    if (warp > 0 || col >= all.count)
        return;
    for (int other = 1; other < WARPS; other++)
        sum += s_sum[other][lane];
    all.to[col] = sum;
}

static __global__ void __launch_bounds__(THREADS)
    add_all(struct parted gBias, int bias_blocks, struct parted gB)
{
    if (blockIdx.x < bias_blocks)
        add_many_parts(gBias, blockIdx.x);
    else
        add_parts(gB, blockIdx.x - bias_blocks);
}

static void launch_sums(const struct call &call, const struct plan &plan, const float *workspace,
                        cudaStream_t stream)
{
    struct parted gBias = {workspace + plan.gBias_parts, call.gBias, call.n, (int)plan.bias_parts};
    struct parted gB = {workspace + plan.gB_parts, call.gB, (int64_t)call.k * call.n,
                        (int)plan.sum_parts};
    int64_t bias_blocks = call.gBias && gBias.parts > 1 ? parts_of(gBias.count, LANES) : 0;
    int64_t gB_blocks = gB.parts > 1 ? parts_of(gB.count, 4 * THREADS) : 0;
    if (bias_blocks + gB_blocks > 0)
        add_all<<<bias_blocks + gB_blocks, THREADS, 0, stream>>>(gBias, bias_blocks, gB);
}

static void launch(const struct call &call, float *workspace, cudaStream_t stream)
{
    struct plan plan = plan_of(call.m, call.n, call.k);
    if (call.n > 0)
        launch_derivative(call, plan, workspace, stream);
    if (call.k > 0)
        launch_products(call, plan, workspace, stream);
    launch_sums(call, plan, workspace, stream);
}
// quest: end

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
