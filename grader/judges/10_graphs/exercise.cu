// Lesson 10, graphs and streams. First `make notes`, and read build/notes/10_graphs.html.
// What the functions must do: common/contracts/10_graphs.h
// Judge it with: make check-lesson10        Stuck? make hint-lesson10
#include "contracts/10_graphs.h"
#include "train_step.h"

#include <float.h>

// What a step calculates is given: training_launch() in common/train_step.h launches its five
// kernels. This lesson is about what is around them: when the batch travels, what the host asks
// for in each run, and who waits for whom.

// quest: begin
// TODO: make it quick. Each run asks the host for memory, a copy and five launches, and waits
// after each of them.
struct lesson10_step {
    struct quest_training training;
};

static cudaError_t make(struct lesson10_step &step)
{
    (void)step; // nothing is kept from run to run
    return cudaSuccess;
}

static cudaError_t run(struct lesson10_step &step, const float *batch, cudaStream_t stream)
{
    float *d_batch = NULL, *scratch = NULL;
    size_t batch_bytes = training_batch_floats(&step.training) * sizeof(float);
    size_t scratch_bytes = training_scratch_floats(&step.training) * sizeof(float);
    cudaError_t error = cudaMalloc(&d_batch, batch_bytes);
    if (error == cudaSuccess)
        error = cudaMalloc(&scratch, scratch_bytes);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_batch, batch, batch_bytes, cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess)
        error = training_launch(&step.training, d_batch, scratch, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    cudaFree(scratch);
    cudaFree(d_batch);
    return error;
}

static cudaError_t release(struct lesson10_step &step)
{
    (void)step;
    return cudaSuccess;
}
// quest: end

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
