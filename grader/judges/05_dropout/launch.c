/* launch.c - lesson 5, in the runner: one call, or several, or a graph of one. */
#include "check/judge_graph.h"
#include "judges/05_dropout/parts.h"
#include "judges/05_dropout/problem.h"

/* Where a pass reads and writes. */
struct places {
    float *from, *to;
};

static cudaError_t call_pass(const struct judge_call *call, uint32_t pass, struct places places,
                             const uint64_t *d_step)
{
    typedef cudaError_t dropout(const float *, float *, int64_t, float, struct quest_rng_key,
                                const uint64_t *, cudaStream_t);
    const struct judge_case *problem = call->problem;
    struct quest_rng_key key = {(uint32_t)problem->size[SEED], (uint32_t)problem->size[LAYER]};
    return ((dropout *)call->symbols[pass])(places.from, places.to, problem->size[N],
                                            (float)problem->real[P], key, d_step, call->stream);
}

static cudaError_t call_once(const struct judge_call *call, const uint64_t *d_step)
{
    struct places places = {call->buffers[X], call->buffers[Y]};
    return call_pass(call, call->problem->launcher, places, d_step);
}

/* Set the step on the device to that of the given run. */
static cudaError_t step_to(const struct judge_call *call, int run)
{
    const uint64_t *d_steps = call->buffers[STEPS];
    return cudaMemcpyAsync(call->buffers[NOW], d_steps + run, sizeof *d_steps,
                           cudaMemcpyDeviceToDevice, call->stream);
}

/* One call as a graph. The capture is relaxed, so that a launcher that reads the step on the host,
 * which a capture cannot see, is not stopped here: it freezes the step, and its masks show that. */
static cudaError_t captured(const struct judge_call *call, cudaGraphExec_t *graph)
{
    cudaGraph_t recorded = NULL;
    cudaError_t error = step_to(call, 0);
    if (error == cudaSuccess)
        error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaError_t called = call_once(call, call->buffers[NOW]);
    error = cudaStreamEndCapture(call->stream, &recorded);
    if (called != cudaSuccess)
        error = called;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(graph, recorded, 0);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

/* What differs in a call of the other pass: its layer, its seed, or its p together with how much of
 * the array it covers. */
static void make_other(struct judge_case *problem, int run)
{
    enum { OTHER_LAYER, OTHER_SEED };
    if (run == OTHER_LAYER)
        problem->size[LAYER] ^= 1;
    else if (run == OTHER_SEED)
        problem->size[SEED] ^= 1;
    else
        problem->real[P] *= 2;
}

static struct places places_of(const struct judge_call *call, uint32_t pass, int run)
{
    float *x = call->buffers[X], *y = call->buffers[Y], *aside = call->buffers[RUN + run];
    int64_t kept = call->problem->size[PLACES];
    if (kept == ONE_PLACE)
        return (struct places){aside, aside};
    if (kept == EXCHANGED)
        return pass == FORWARD ? (struct places){aside, y} : (struct places){y, aside};
    return (struct places){x, y};
}

/* Every element; of one place there is nothing to copy. */
static cudaError_t copy_all(const struct judge_call *call, const float *from, float *to)
{
    size_t bytes = (size_t)call->problem->size[N] * sizeof *to;
    return from == to ? cudaSuccess
                      : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, call->stream);
}

/* A pass of problem over the values of x, brought to where it reads. */
static cudaError_t call_placed(const struct judge_call *call, const struct judge_case *problem,
                               uint32_t pass, int run)
{
    struct judge_call placed = *call;
    struct places places = places_of(call, pass, run);
    placed.problem = problem;
    cudaError_t error = copy_all(call, call->buffers[X], places.from);
    return error == cudaSuccess ? call_pass(&placed, pass, places, call->buffers[NOW]) : error;
}

static cudaError_t call_other(const struct judge_call *call, const struct judge_case *problem,
                              int run)
{
    return call_placed(call, problem, PASSES - 1 - problem->launcher, run);
}

/* The other pass, with everything the same except the step, or except something else: a mask that
 * it may have kept is not the right one here. */
static cudaError_t other_pass(const struct judge_call *call, int run)
{
    struct judge_case other = *call->problem;
    bool is_other_step = other.script == OTHER_PASS;
    cudaError_t error = step_to(call, is_other_step ? (run + 1) % RUNS : run);
    if (error != cudaSuccess || is_other_step)
        return error == cudaSuccess ? call_other(call, &other, run) : error;
    make_other(&other, run);
    error = call_other(call, &other, run);
    if (error == cudaSuccess && run == RUNS - 1) {
        other = *call->problem;
        other.size[N] /= 2;
        error = call_other(call, &other, run);
    }
    return error;
}

/* Set the step, make the call or launch its graph, and have its result both in y and aside. */
static cudaError_t one_run(const struct judge_call *call, cudaGraphExec_t graph, int run)
{
    const struct judge_case *problem = call->problem;
    float *y = call->buffers[Y], *aside = call->buffers[RUN + run];
    bool is_paired = problem->script == OTHER_PASS || problem->script == OTHER_CALL;
    float *result = is_paired ? places_of(call, problem->launcher, run).to : y;
    cudaError_t error = is_paired ? other_pass(call, run) : cudaSuccess;
    if (error == cudaSuccess)
        error = step_to(call, run);
    if (error == cudaSuccess && is_paired)
        error = call_placed(call, problem, problem->launcher, run);
    else if (error == cudaSuccess)
        error = graph ? cudaGraphLaunch(graph, call->stream) : call_once(call, call->buffers[NOW]);
    return error == cudaSuccess ? copy_all(call, result, result == y ? aside : y) : error;
}

static cudaError_t all_runs(const struct judge_call *call, cudaGraphExec_t graph)
{
    cudaError_t error = cudaSuccess;
    for (int run = 0; run < RUNS && error == cudaSuccess; run++)
        error = one_run(call, graph, run);
    return error;
}

static cudaError_t call_with_steps(const struct judge_call *call)
{
    return call_once(call, call->buffers[STEPS]);
}

cudaError_t dropout_launch(const struct judge_call *call)
{
    if (call->problem->refused_with == JUDGE_LAUNCH_FAILS)
        return judge_without_launch(call, call_with_steps);
    if (call->problem->script == ONE_CALL)
        return call_with_steps(call);
    if (call->problem->script != REPLAYED)
        return all_runs(call, NULL);
    cudaGraphExec_t graph = NULL;
    cudaError_t error = captured(call, &graph);
    if (error == cudaSuccess)
        error = all_runs(call, graph);
    if (graph)
        cudaGraphExecDestroy(graph);
    return error;
}
