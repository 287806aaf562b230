/* train_step.h - what a training step of lesson 10 calculates: five kernels, on one stream.
 *
 *     hidden    = dropout(relu([x 1] W1))               kernel 1     batch x hidden
 *     gY        = ([hidden 1] W2 - y) / (batch out)     kernel 2     batch x out
 *     gHidden   = gY W2^T where hidden > 0, else 0      kernel 3     batch x hidden
 *     W1 and W2 by AdamW, from gW1 = [x 1]^T gHidden and gW2 = [hidden 1]^T gY      kernel 4
 *     *step     = *step + 1                             kernel 5
 *
 * [x 1] is x with a column of ones: so the last row of W1, which is (in + 1) x hidden, is the bias,
 * and the same of W2, which is (hidden + 1) x out. An element of the hidden layer that is kept is
 * multiplied by 1 / (1 - drop), and so is its gradient; lesson 5 says which ones are.
 *
 * Each sum begins with 0 and takes its products in order, each by one fmaf(). With no other order
 * and no other rounding, the results are the same bits in every step that is right, whatever runs
 * it: AdamW divides by the root of a mean of squares, so a gradient that is nearly 0 and differs in
 * its last bit may move its weight the other way.
 *
 * These kernels are as plain as products can be that share what they load: they are not what this
 * lesson is about.
 */
#ifndef TRAIN_STEP_H
#define TRAIN_STEP_H

#include "contracts/10_graphs.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

enum { TRAINING_TILE = 16, TRAINING_THREADS = TRAINING_TILE * TRAINING_TILE };

/* Floats of a batch in the host's memory, of p, m and v each, and of what a step keeps between its
 * kernels. */
static inline size_t training_batch_floats(const struct quest_training *training)
{
    return (size_t)training->batch * ((size_t)training->in + (size_t)training->out);
}

static inline size_t training_parameters(const struct quest_training *training)
{
    return ((size_t)training->in + 1) * (size_t)training->hidden +
           ((size_t)training->hidden + 1) * (size_t)training->out;
}

static inline size_t training_scratch_floats(const struct quest_training *training)
{
    return (size_t)training->batch * (2 * (size_t)training->hidden + (size_t)training->out);
}

/* --- Products --------------------------------------------------------------------------------- */

/* A matrix by its strides, so that one that is turned is not another kernel's. Past its rows or
 * columns, where there is a one, every element is 1. */
struct training_matrix {
    const float *at;
    int rows, cols;
    int64_t row_stride, col_stride;
};

static __device__ __forceinline__ float training_element(const struct training_matrix &matrix,
                                                         int row, int col)
{
    return row < matrix.rows && col < matrix.cols
               ? matrix.at[row * matrix.row_stride + col * matrix.col_stride]
               : 1.0f;
}

/* Element (row, col) of A B, a sum of k products: each thread of a block has one element of a tile.
 * All threads of the block must come here. */
static __device__ __forceinline__ float training_product(const struct training_matrix &A,
                                                         const struct training_matrix &B, int k,
                                                         int first_row, int first_col)
{
    __shared__ float s_a[TRAINING_TILE][TRAINING_TILE + 1], s_b[TRAINING_TILE][TRAINING_TILE + 1];
    int x = threadIdx.x % TRAINING_TILE, y = threadIdx.x / TRAINING_TILE;
    bool a_is_turned = A.col_stride > 1, b_is_turned = B.col_stride > 1;
    float sum = 0;
    for (int i = 0; i < k; i += TRAINING_TILE) {
        /* Neighbouring lanes read neighbours, whichever way the matrix is stored. */
        int a_row = a_is_turned ? x : y, a_col = a_is_turned ? y : x;
        int b_row = b_is_turned ? x : y, b_col = b_is_turned ? y : x;
        s_a[a_row][a_col] = training_element(A, first_row + a_row, i + a_col);
        s_b[b_row][b_col] = training_element(B, i + b_row, first_col + b_col);
        __syncthreads();
        for (int j = 0; j < min(TRAINING_TILE, k - i); j++)
            sum = __fmaf_rn(s_a[y][j], s_b[j][x], sum);
        __syncthreads();
    }
    return sum;
}

static inline unsigned training_tiles(int side)
{
    return ((unsigned)side + TRAINING_TILE - 1) / TRAINING_TILE;
}

static inline dim3 training_grid(int rows, int cols)
{
    return dim3(training_tiles(cols), training_tiles(rows));
}

/* --- The step --------------------------------------------------------------------------------- */

/* Where the kernels find things: a batch on the device, and floats of their own. */
struct training_step {
    struct quest_training training;
    const float *x, *y; /* of this step */
    float *hidden, *gHidden, *gY;
};

static __device__ int training_row(void)
{
    return (int)blockIdx.y * TRAINING_TILE + (int)threadIdx.x / TRAINING_TILE;
}

static __device__ int training_col(void)
{
    return (int)blockIdx.x * TRAINING_TILE + (int)threadIdx.x % TRAINING_TILE;
}

/* Philox4x32-10, as in lesson 5: one of four words for element i of the hidden layer. */
static __device__ uint32_t training_word(struct quest_rng_key key, uint64_t step, uint64_t i)
{
    uint32_t a = (uint32_t)(i / 4), b = (uint32_t)(i / 4 >> 32);
    uint32_t c = (uint32_t)step, d = (uint32_t)(step >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t first = (uint64_t)0xD2511F53u * a, second = (uint64_t)0xCD9E8D57u * c;
        a = (uint32_t)(second >> 32) ^ b ^ key.seed;
        b = (uint32_t)second;
        c = (uint32_t)(first >> 32) ^ d ^ key.layer;
        d = (uint32_t)first;
        key.seed += 0x9E3779B9u;
        key.layer += 0xBB67AE85u;
    }
    return i % 4 == 0 ? a : i % 4 == 1 ? b : i % 4 == 2 ? c : d;
}

static __device__ float training_keep_scale(float drop)
{
    return __fdiv_rn(1.0f, __fsub_rn(1.0f, drop));
}

static __global__ void __launch_bounds__(TRAINING_THREADS)
    training_hidden(const struct training_step at)
{
    const struct quest_training &t = at.training;
    struct training_matrix x = {at.x, t.batch, t.in, t.in, 1};
    struct training_matrix W1 = {t.p, t.in + 1, t.hidden, t.hidden, 1};
    int row = training_row(), col = training_col();
    float z = training_product(x, W1, t.in + 1, (int)blockIdx.y * TRAINING_TILE,
                               (int)blockIdx.x * TRAINING_TILE);
    if (row >= t.batch || col >= t.hidden)
        return;
    int64_t i = (int64_t)row * t.hidden + col;
    bool is_kept = training_word(t.key, *t.step, (uint64_t)i) >= (uint32_t)(t.drop * 0x1p32);
    at.hidden[i] = is_kept && z > 0 ? __fmul_rn(z, training_keep_scale(t.drop)) : 0.0f;
}

static __global__ void __launch_bounds__(TRAINING_THREADS)
    training_gY(const struct training_step at)
{
    const struct quest_training &t = at.training;
    struct training_matrix hidden = {at.hidden, t.batch, t.hidden, t.hidden, 1};
    struct training_matrix W2 = {t.p + ((int64_t)t.in + 1) * t.hidden, t.hidden + 1, t.out, t.out,
                                 1};
    int row = training_row(), col = training_col();
    float y = training_product(hidden, W2, t.hidden + 1, (int)blockIdx.y * TRAINING_TILE,
                               (int)blockIdx.x * TRAINING_TILE);
    int64_t i = (int64_t)row * t.out + col;
    if (row < t.batch && col < t.out)
        at.gY[i] = __fdiv_rn(__fsub_rn(y, at.y[i]), __fmul_rn((float)t.batch, (float)t.out));
}

static __global__ void __launch_bounds__(TRAINING_THREADS)
    training_gHidden(const struct training_step at)
{
    const struct quest_training &t = at.training;
    struct training_matrix gY = {at.gY, t.batch, t.out, t.out, 1};
    struct training_matrix turned_W2 = {t.p + ((int64_t)t.in + 1) * t.hidden, t.out, t.hidden, 1,
                                        t.out};
    int row = training_row(), col = training_col();
    float g = training_product(gY, turned_W2, t.out, (int)blockIdx.y * TRAINING_TILE,
                               (int)blockIdx.x * TRAINING_TILE);
    int64_t i = (int64_t)row * t.hidden + col;
    if (row < t.batch && col < t.hidden)
        at.gHidden[i] = at.hidden[i] > 0 ? __fmul_rn(g, training_keep_scale(t.drop)) : 0.0f;
}

/* base^exponent by squaring, each product rounded: the same bits on any machine. */
static __device__ double training_power(double base, uint64_t exponent)
{
    double power = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = __dmul_rn(power, base);
        base = __dmul_rn(base, base);
    }
    return power;
}

/* 1 / (1 - beta1^t) and 1 / sqrt(1 - beta2^t), of step t: one thread of the block takes each. */
static __device__ float2 training_corrections(const struct quest_training &t)
{
    __shared__ float s_correction[2];
    if (threadIdx.x == 0)
        s_correction[0] = (float)(1.0 / (1.0 - training_power(t.beta1, *t.step + 1)));
    if (threadIdx.x == TRAINING_THREADS / 2)
        s_correction[1] = (float)(1.0 / sqrt(1.0 - training_power(t.beta2, *t.step + 1)));
    __syncthreads();
    return make_float2(s_correction[0], s_correction[1]);
}

static __device__ void training_adamw(const struct quest_training &t, float2 correction, int64_t i,
                                      float g)
{
    float m = __fmaf_rn(t.beta1, t.m[i], __fmul_rn(__fsub_rn(1.0f, t.beta1), g));
    float v = __fmaf_rn(t.beta2, t.v[i], __fmul_rn(__fmul_rn(__fsub_rn(1.0f, t.beta2), g), g));
    float update =
        __fdiv_rn(__fmul_rn(m, correction.x), __fmaf_rn(__fsqrt_rn(v), correction.y, t.eps));
    t.p[i] = __fmaf_rn(-t.lr, __fmaf_rn(t.weight_decay, t.p[i], update), t.p[i]);
    t.m[i] = m;
    t.v[i] = v;
}

/* Tiles of W1, and after them tiles of W2: the blocks of one row of the grid. */
static __global__ void __launch_bounds__(TRAINING_THREADS)
    training_update(const struct training_step at, int W1_tiles)
{
    const struct quest_training &t = at.training;
    bool is_W1 = (int)blockIdx.x < W1_tiles;
    int tile = is_W1 ? (int)blockIdx.x : (int)blockIdx.x - W1_tiles;
    int rows = (is_W1 ? t.in : t.hidden) + 1, cols = is_W1 ? t.hidden : t.out;
    int across = (cols + TRAINING_TILE - 1) / TRAINING_TILE;
    int first_row = tile / across * TRAINING_TILE, first_col = tile % across * TRAINING_TILE;
    struct training_matrix turned = {is_W1 ? at.x : at.hidden, rows - 1, t.batch, 1, rows - 1};
    struct training_matrix gradient = {is_W1 ? at.gHidden : at.gY, t.batch, cols, cols, 1};
    float2 correction = training_corrections(t);
    float g = training_product(turned, gradient, t.batch, first_row, first_col);
    int row = first_row + (int)threadIdx.x / TRAINING_TILE;
    int col = first_col + (int)threadIdx.x % TRAINING_TILE;
    int64_t before = is_W1 ? 0 : ((int64_t)t.in + 1) * t.hidden;
    if (row < rows && col < cols)
        training_adamw(t, correction, before + (int64_t)row * cols + col, g);
}

static __global__ void training_count(uint64_t *step)
{
    ++*step;
}

/* Launch a step on a batch that is on the device. scratch: training_scratch_floats() on the device,
 * for this step alone; what it holds before and after does not matter. Returns the first error. */
static inline cudaError_t training_launch(const struct quest_training *training,
                                          const float *d_batch, float *scratch, cudaStream_t stream)
{
    const struct quest_training &t = *training;
    int64_t hidden_floats = (int64_t)t.batch * t.hidden;
    struct training_step at = {t,
                               d_batch,
                               d_batch + (int64_t)t.batch * t.in,
                               scratch,
                               scratch + hidden_floats,
                               scratch + 2 * hidden_floats};
    unsigned W1_tiles = training_tiles(t.in + 1) * training_tiles(t.hidden);
    unsigned W2_tiles = training_tiles(t.hidden + 1) * training_tiles(t.out);
    training_hidden<<<training_grid(t.batch, t.hidden), TRAINING_THREADS, 0, stream>>>(at);
    training_gY<<<training_grid(t.batch, t.out), TRAINING_THREADS, 0, stream>>>(at);
    training_gHidden<<<training_grid(t.batch, t.hidden), TRAINING_THREADS, 0, stream>>>(at);
    training_update<<<W1_tiles + W2_tiles, TRAINING_THREADS, 0, stream>>>(at, (int)W1_tiles);
    training_count<<<1, 1, 0, stream>>>(t.step);
    return cudaGetLastError();
}

#endif
