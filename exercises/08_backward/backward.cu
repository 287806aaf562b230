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
// One thing after the other: gZ; the sums of its columns; B and A, transposed; and two products of
// matrices as they are.
enum { BLOCK_COLS = 32, BLOCK_ROWS = 8, BLOCK_THREADS = BLOCK_COLS * BLOCK_ROWS };

static int64_t workspace_floats(int64_t m, int64_t n, int64_t k)
{
    return m * n + k * n + m * k;
}

static __global__ void multiply_derivative(struct call call, float *gZ)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i < (int64_t)call.m * call.n)
        gZ[i] = call.gY[i] * derivative(call.Z[i], call.activation, call.leaky_slope);
}

static __global__ void sum_columns(struct call call, const float *gZ)
{
    int col = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (col >= call.n)
        return;
    float sum = 0;
    for (int row = 0; row < call.m; row++)
        sum += gZ[(int64_t)row * call.n + col];
    call.gBias[col] = sum;
}

static __global__ void transpose(const float *from, float *to, int rows, int cols)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i < (int64_t)rows * cols)
        to[i % cols * rows + i / cols] = from[i];
}

// to = left right, of rows x depth by depth x cols.
static __global__ void multiply(const float *left, const float *right, float *to, int rows,
                                int cols, int depth)
{
    int col = blockIdx.y * BLOCK_COLS + threadIdx.x, row = blockIdx.x * BLOCK_ROWS + threadIdx.y;
    if (row >= rows || col >= cols)
        return;
    float sum = 0;
    for (int i = 0; i < depth; i++)
        sum += left[(int64_t)row * depth + i] * right[(int64_t)i * cols + col];
    to[(int64_t)row * cols + col] = sum;
}

static void launch_product(const float *left, const float *right, float *to, int rows, int cols,
                           int depth, cudaStream_t stream)
{
    dim3 block(BLOCK_COLS, BLOCK_ROWS);
    dim3 grid(parts_of(rows, BLOCK_ROWS), parts_of(cols, BLOCK_COLS));
    if (rows > 0 && cols > 0)
        multiply<<<grid, block, 0, stream>>>(left, right, to, rows, cols, depth);
}

static void launch_transpose(const float *from, float *to, int rows, int cols, cudaStream_t stream)
{
    int64_t blocks = parts_of((int64_t)rows * cols, BLOCK_THREADS);
    if (blocks > 0)
        transpose<<<blocks, BLOCK_THREADS, 0, stream>>>(from, to, rows, cols);
}

static void launch(const struct call &call, float *workspace, cudaStream_t stream)
{
    int m = call.m, n = call.n, k = call.k;
    float *gZ = workspace, *Bt = gZ + (int64_t)m * n, *At = Bt + (int64_t)k * n;
    int64_t blocks = parts_of((int64_t)m * n, BLOCK_THREADS);
    if (blocks > 0)
        multiply_derivative<<<blocks, BLOCK_THREADS, 0, stream>>>(call, gZ);
    if (call.gBias && n > 0)
        sum_columns<<<parts_of(n, BLOCK_THREADS), BLOCK_THREADS, 0, stream>>>(call, gZ);
    launch_transpose(call.B, Bt, k, n, stream);
    launch_transpose(call.A, At, m, k, stream);
    launch_product(gZ, Bt, call.gA, m, k, n, stream);
    launch_product(At, gZ, call.gB, k, n, m, stream);
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
