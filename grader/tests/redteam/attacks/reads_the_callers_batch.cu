// Lesson 10 without a copy: the kernels take the batch's address from a word of pinned memory,
// which a run sets, and read the caller's batch over the bus, each tile as often as it is used.
#include "contracts/10_graphs.h"
#include "train_step.h"

#include <float.h>

struct far_step {
    struct quest_training training;
    const float *const *cell;
    float *hidden, *gHidden, *gY;
    __device__ const float *x() const { return *(const float *const volatile *)cell; }
    __device__ const float *y() const { return x() + (int64_t)training.batch * training.in; }
};

static __global__ void __launch_bounds__(TRAINING_THREADS)
    far_hidden(const struct far_step at)
{
    const struct quest_training &t = at.training;
    struct training_matrix x = {at.x(), t.batch, t.in, t.in, 1};
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
    far_gY(const struct far_step at)
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
        at.gY[i] = __fdiv_rn(__fsub_rn(y, at.y()[i]), __fmul_rn((float)t.batch, (float)t.out));
}

static __global__ void __launch_bounds__(TRAINING_THREADS)
    far_gHidden(const struct far_step at)
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

static __global__ void __launch_bounds__(TRAINING_THREADS)
    far_update(const struct far_step at, int W1_tiles)
{
    const struct quest_training &t = at.training;
    bool is_W1 = (int)blockIdx.x < W1_tiles;
    int tile = is_W1 ? (int)blockIdx.x : (int)blockIdx.x - W1_tiles;
    int rows = (is_W1 ? t.in : t.hidden) + 1, cols = is_W1 ? t.hidden : t.out;
    int across = (cols + TRAINING_TILE - 1) / TRAINING_TILE;
    int first_row = tile / across * TRAINING_TILE, first_col = tile % across * TRAINING_TILE;
    struct training_matrix turned = {is_W1 ? at.x() : at.hidden, rows - 1, t.batch, 1, rows - 1};
    struct training_matrix gradient = {is_W1 ? at.gHidden : at.gY, t.batch, cols, cols, 1};
    float2 correction = training_corrections(t);
    float g = training_product(turned, gradient, t.batch, first_row, first_col);
    int row = first_row + (int)threadIdx.x / TRAINING_TILE;
    int col = first_col + (int)threadIdx.x % TRAINING_TILE;
    int64_t before = is_W1 ? 0 : ((int64_t)t.in + 1) * t.hidden;
    if (row < rows && col < cols)
        training_adamw(t, correction, before + (int64_t)row * cols + col, g);
}

static cudaError_t far_launch(const struct quest_training *training, const float **cell,
                              float *scratch, cudaStream_t stream)
{
    const struct quest_training &t = *training;
    int64_t hidden_floats = (int64_t)t.batch * t.hidden;
    struct far_step at = {t, cell, scratch, scratch + hidden_floats, scratch + 2 * hidden_floats};
    unsigned W1_tiles = training_tiles(t.in + 1) * training_tiles(t.hidden);
    unsigned W2_tiles = training_tiles(t.hidden + 1) * training_tiles(t.out);
    far_hidden<<<training_grid(t.batch, t.hidden), TRAINING_THREADS, 0, stream>>>(at);
    far_gY<<<training_grid(t.batch, t.out), TRAINING_THREADS, 0, stream>>>(at);
    far_gHidden<<<training_grid(t.batch, t.hidden), TRAINING_THREADS, 0, stream>>>(at);
    far_update<<<W1_tiles + W2_tiles, TRAINING_THREADS, 0, stream>>>(at, (int)W1_tiles);
    training_count<<<1, 1, 0, stream>>>(t.step);
    return cudaGetLastError();
}

enum { BATCHES = 64 }; // runs under way, each with a graph and a cell of its own

struct lesson10_step {
    struct quest_training training;
    const float **cells;
    float *scratch;
    cudaStream_t recorded;
    cudaGraphExec_t graphs[BATCHES];
    uint64_t runs;
};

static cudaError_t make_graph(struct lesson10_step &step, int i)
{
    cudaGraph_t recorded = NULL;
    cudaError_t error = cudaStreamBeginCapture(step.recorded, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaError_t launched = far_launch(&step.training, &step.cells[i], step.scratch, step.recorded);
    error = cudaStreamEndCapture(step.recorded, &recorded);
    if (launched != cudaSuccess)
        error = launched;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(&step.graphs[i], recorded, 0);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

static cudaError_t make(struct lesson10_step &step)
{
    size_t scratch_bytes = training_scratch_floats(&step.training) * sizeof(float);
    cudaError_t error = cudaHostAlloc((void **)&step.cells, BATCHES * sizeof *step.cells, 0);
    if (error == cudaSuccess)
        error = cudaMalloc(&step.scratch, scratch_bytes);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&step.recorded, cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES && error == cudaSuccess; i++)
        error = make_graph(step, i);
    return error;
}

static cudaError_t run(struct lesson10_step &step, const float *batch, cudaStream_t stream)
{
    int i = (int)(step.runs++ % BATCHES);
    step.cells[i] = batch;
    return cudaGraphLaunch(step.graphs[i], stream);
}

static cudaError_t release(struct lesson10_step &step)
{
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++)
        if (step.graphs[i])
            cudaGraphExecDestroy(step.graphs[i]);
    if (step.recorded)
        cudaStreamDestroy(step.recorded);
    cudaFree(step.scratch);
    cudaFreeHost(step.cells);
    return error;
}
static bool is_side(int side)
{
    return side >= 1 && side <= LESSON10_LARGEST_SIDE;
}

static bool is_in_range(const struct quest_training &t)
{
    return is_side(t.batch) && is_side(t.in) && is_side(t.hidden) && is_side(t.out) && t.p && t.m &&
           t.v && t.step && t.drop >= 0 && t.drop < 1 && t.lr >= 0 && t.lr <= FLT_MAX &&
           t.beta1 >= 0 && t.beta1 < 1 && t.beta2 >= 0 && t.beta2 < 1 && t.eps > 0 &&
           t.eps <= FLT_MAX && t.weight_decay >= 0 && t.weight_decay <= FLT_MAX;
}

cudaError_t lesson10_create(struct lesson10_step **step, const struct quest_training *training)
{
    if (!step || !training || !is_in_range(*training))
        return cudaErrorInvalidValue;
    struct lesson10_step *made = new lesson10_step();
    made->training = *training;
    cudaError_t error = make(*made);
    if (error == cudaSuccess) {
        *step = made;
        return cudaSuccess;
    }
    release(*made);
    delete made;
    return error;
}

cudaError_t lesson10_run(struct lesson10_step *step, const float *batch, cudaStream_t stream)
{
    if (!step || !batch)
        return cudaErrorInvalidValue;
    return run(*step, batch, stream);
}

cudaError_t lesson10_destroy(struct lesson10_step *step)
{
    if (!step)
        return cudaErrorInvalidValue;
    cudaError_t error = release(*step);
    delete step;
    return error;
}
