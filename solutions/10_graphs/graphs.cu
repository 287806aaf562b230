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
// Two batches are on the device at a time: one is used while the next one arrives. Each has a graph
// of its own, since a graph keeps the addresses that it was captured with.
enum { BATCHES = 2 };

struct lesson10_step {
    struct quest_training training;
    float *batches, *scratch;
    cudaStream_t copies;             // where batches arrive
    cudaEvent_t arrived[BATCHES];    // a run's kernels wait for it
    cudaEvent_t used[BATCHES];       // the next copy to the same place waits for it
    cudaGraphExec_t graphs[BATCHES];
    uint64_t runs;
};

static float *batch_of(const struct lesson10_step &step, int i)
{
    return step.batches + (size_t)i * training_batch_floats(&step.training);
}

// A relaxed capture: other threads may do what they like meanwhile.
static cudaError_t make_graph(struct lesson10_step &step, int i)
{
    cudaGraph_t recorded = NULL;
    cudaError_t error = cudaStreamBeginCapture(step.copies, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaError_t launched = training_launch(&step.training, batch_of(step, i), step.scratch,
                                           step.copies);
    error = cudaStreamEndCapture(step.copies, &recorded);
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
    size_t batch_bytes = training_batch_floats(&step.training) * sizeof(float);
    size_t scratch_bytes = training_scratch_floats(&step.training) * sizeof(float);
    cudaError_t error = cudaMalloc(&step.batches, BATCHES * batch_bytes);
    if (error == cudaSuccess)
        error = cudaMalloc(&step.scratch, scratch_bytes);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&step.copies, cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES && error == cudaSuccess; i++) {
        error = cudaEventCreateWithFlags(&step.arrived[i], cudaEventDisableTiming);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&step.used[i], cudaEventDisableTiming);
        if (error == cudaSuccess)
            error = make_graph(step, i);
    }
    return error;
}

// An event that was never recorded holds nothing up, so the first runs need no case of their own.
static cudaError_t run(struct lesson10_step &step, const float *batch, cudaStream_t stream)
{
    int i = (int)(step.runs % BATCHES);
    size_t bytes = training_batch_floats(&step.training) * sizeof(float);
    cudaError_t error = cudaStreamWaitEvent(step.copies, step.used[i], 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(batch_of(step, i), batch, bytes, cudaMemcpyHostToDevice,
                                step.copies);
    if (error == cudaSuccess)
        error = cudaEventRecord(step.arrived[i], step.copies);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(stream, step.arrived[i], 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(step.graphs[i], stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(step.used[i], stream);
    step.runs += error == cudaSuccess;
    return error;
}

// The last runs have recorded used[]: when both are over, so is all that this step has queued.
static cudaError_t release(struct lesson10_step &step)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < BATCHES; i++) {
        if (step.used[i])
            error = cudaEventSynchronize(step.used[i]);
        if (step.graphs[i])
            cudaGraphExecDestroy(step.graphs[i]);
        if (step.arrived[i])
            cudaEventDestroy(step.arrived[i]);
        if (step.used[i])
            cudaEventDestroy(step.used[i]);
    }
    if (step.copies)
        cudaStreamDestroy(step.copies);
    cudaFree(step.scratch);
    cudaFree(step.batches);
    return error;
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
