/* launch.c - lesson 9, in the runner: the list of a case on the device's addresses; and one call,
 * or several, or a graph of one. */
#include "check/judge_graph.h"
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <string.h>

typedef cudaError_t adamw(const struct quest_adamw_tensor *, int, const struct quest_adamw *,
                          const uint64_t *, void *, cudaStream_t);

/* --- The list --------------------------------------------------------------------------------- */

static struct quest_adamw_tensor tensor_of(const struct judge_call *call, int i)
{
    const struct adamw_place *place = &adamw_list(call->problem)->of[i];
    float *p = call->buffers[P], *m = call->buffers[M], *v = call->buffers[V];
    const float *g = call->buffers[G];
    const uint16_t *g16 = call->buffers[G16];
    struct quest_adamw_tensor tensor = {.n = place->n, .half_gradient = place->half};
    if (place->n == 0)
        return tensor; /* and no pointers */
    tensor.p = p + place->at[P];
    tensor.m = m + place->at[M];
    tensor.v = v + place->at[V];
    if (place->half)
        tensor.g = g16 + place->at[G16];
    else
        tensor.g = g + place->at[G];
    return tensor;
}

/* What a list must not have: its last tensor, or its last two. */
static void spoil(enum script script, int count, struct quest_adamw_tensor *tensors)
{
    struct quest_adamw_tensor *last = &tensors[count - 1];
    switch (script) {
    case NO_P: last->p = NULL; break;
    case NO_G: last->g = NULL; break;
    case NO_M: last->m = NULL; break;
    case NO_V: last->v = NULL; break;
    case LAST_NEGATIVE: last->n = -1; break;
    case LAST_TOO_LONG: last->n = LESSON9_MOST_ELEMENTS + 1; break;
    case SUM_TOO_LONG: last[-1].n = last->n = LESSON9_MOST_ELEMENTS; break;
    case SUM_OVERFLOWS: last[-1].n = last->n = INT64_MAX; break;
    case COUNT_TOO_LARGE: /* all of them in order, but for their number */
        for (int i = count; i <= LESSON9_MOST_TENSORS; i++)
            tensors[i] = tensors[0];
        break;
    case COUNT_NEGATIVE:
    case ONE_CALL:
    case AS_GRAPH:
    case REPLAYED:
    case GONE_BACK:
    case IN_TURN:
    case TYPE_FIRST:
    case OTHER_P_FIRST:
    case OTHER_G_FIRST:
    case OTHER_M_FIRST:
    case OTHER_V_FIRST:
    case OVERWRITTEN:
    case MOST_FIRST: break;
    }
}

static int count_of(const struct judge_case *problem)
{
    return problem->script == COUNT_TOO_LARGE  ? LESSON9_MOST_TENSORS + 1
           : problem->script == COUNT_NEGATIVE ? -1
                                               : (int)problem->size[COUNT];
}

static struct quest_adamw hyper_of(const struct judge_case *problem)
{
    const double *real = problem->real;
    return (struct quest_adamw){.lr = (float)real[LR],
                                .beta1 = (float)real[BETA1],
                                .beta2 = (float)real[BETA2],
                                .eps = (float)real[EPS],
                                .weight_decay = (float)real[WEIGHT_DECAY],
                                .decay_rate = (float)real[DECAY_RATE],
                                .decay_steps = problem->size[DECAY_STEPS]};
}

static void *workspace_of(const struct judge_call *call)
{
    return (char *)call->workspace + ADAMW_WORKSPACE_BYTES - LESSON9_WORKSPACE_BYTES;
}

/* How a list differs from the one of its case. */
enum difference { NONE, OTHER_TYPES, OTHER_FIELDS };

static void exchange(enum script script, struct quest_adamw_tensor *a, struct quest_adamw_tensor *b)
{
    const struct quest_adamw_tensor was = *a;
    switch (script) {
    case OTHER_P_FIRST: a->p = b->p, b->p = was.p; break;
    case OTHER_G_FIRST: a->g = b->g, b->g = was.g; break;
    case OTHER_M_FIRST: a->m = b->m, b->m = was.m; break;
    case OTHER_V_FIRST: a->v = b->v, b->v = was.v; break;
    default: break;
    }
}

/* Which two of eight tensors: a comparison of two lists that leaves some tensors out, such as every
 * second one or a half, misses a whole pair. */
static const int PAIR[][2] = {[OTHER_P_FIRST] = {5, 6},
                              [OTHER_G_FIRST] = {1, 3},
                              [OTHER_M_FIRST] = {2, 4},
                              [OTHER_V_FIRST] = {3, 4}};

/* The ends of the list stay, and so do sums of all its addresses. Tensors are equally long. */
static void make_different(const struct judge_case *problem, enum difference difference, int count,
                           struct quest_adamw_tensor *tensors)
{
    for (int i = 0; i < count && difference == OTHER_TYPES; i++)
        tensors[i].half_gradient ^= true;
    if (difference == OTHER_FIELDS)
        exchange((enum script)problem->script, &tensors[PAIR[problem->script][0]],
                 &tensors[PAIR[problem->script][1]]);
}

/* List and fields are overwritten when the call has returned: it must have read them. */
static cudaError_t call_as(const struct judge_call *call, const uint64_t *step,
                           enum difference difference)
{
    const struct judge_case *problem = call->problem;
    static struct quest_adamw_tensor tensors[LESSON9_MOST_TENSORS + 1];
    struct quest_adamw hyper = hyper_of(problem);
    int count = (int)problem->size[COUNT];
    for (int i = 0; i < count; i++)
        tensors[i] = tensor_of(call, i);
    make_different(problem, difference, count, tensors);
    spoil(problem->script, count, tensors);
    cudaError_t error = ((adamw *)call->symbols[0])(count ? tensors : NULL, count_of(problem),
                                                    &hyper, step, workspace_of(call), call->stream);
    memset(tensors, 0xFF, sizeof tensors);
    memset(&hyper, 0xFF, sizeof hyper);
    __asm__ volatile("" ::"r"(tensors), "r"(&hyper) : "memory");
    return error;
}

/* --- Scripts ---------------------------------------------------------------------------------- */

static cudaError_t call_with(const struct judge_call *call, const uint64_t *step)
{
    return call_as(call, step, NONE);
}

static cudaError_t call_once(const struct judge_call *call)
{
    return call_with(call, call->buffers[STEPS]);
}

/* What another call works on: a tensor that begins with zeros, with the first tensor's gradient. */
enum { OTHER_FLOATS = 500 };

static cudaError_t clear_other(const struct judge_call *call)
{
    return cudaMemsetAsync(call->workspace, 0, LESSON9_WORKSPACE_BYTES, call->stream);
}

/* At another rate and with other betas, so that neither schedule nor corrections are the same. */
static cudaError_t call_other(const struct judge_call *call)
{
    float *p = call->workspace, *m = p + OTHER_FLOATS, *v = m + OTHER_FLOATS;
    struct quest_adamw hyper = hyper_of(call->problem);
    struct quest_adamw_tensor tensor = {p, call->buffers[G], m, v, .n = OTHER_FLOATS};
    void *workspace = (char *)call->workspace + LESSON9_WORKSPACE_BYTES;
    hyper.lr /= 4;
    hyper.beta1 /= 2;
    hyper.beta2 /= 2;
    return ((adamw *)call->symbols[0])(&tensor, 1, &hyper, call->buffers[STEPS], workspace,
                                       call->stream);
}

static cudaError_t in_turn(const struct judge_call *call)
{
    cudaError_t error = clear_other(call);
    return error == cudaSuccess ? judge_in_turn(call, call_once, call_other) : error;
}

static cudaError_t call_now(const struct judge_call *call)
{
    return call_with(call, call->buffers[NOW]);
}

/* Set the step on the device to that of the given run. */
static cudaError_t step_to(const struct judge_call *call, int run)
{
    const uint64_t *steps = call->buffers[STEPS];
    return cudaMemcpyAsync(call->buffers[NOW], steps + run, sizeof *steps, cudaMemcpyDeviceToDevice,
                           call->stream);
}

/* p, m and v to the memory for another call, or back from there. */
static cudaError_t keep(const struct judge_call *call, bool back)
{
    static const size_t KEPT[] = {P, M, V};
    char *at = call->workspace;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT && error == cudaSuccess; i++) {
        void *array = call->buffers[KEPT[i]];
        size_t bytes = (size_t)adamw_list(call->problem)->length[KEPT[i]] * sizeof(float);
        error = cudaMemcpyAsync(back ? array : at, back ? at : array, bytes,
                                cudaMemcpyDeviceToDevice, call->stream);
        at += bytes;
    }
    return error;
}

/* The first call takes floats for halves, say, or another tensor's p; what it makes of them is
 * undone. */
static cudaError_t different_first(const struct judge_call *call, enum difference difference)
{
    cudaError_t error = keep(call, false);
    if (error == cudaSuccess)
        error = call_as(call, call->buffers[STEPS], difference);
    if (error == cudaSuccess)
        error = keep(call, true);
    return error == cudaSuccess ? call_once(call) : error;
}

/* What a call finds in the workspace is none of what one before it has left there, and p, m and v
 * are always the same. */
static cudaError_t overwritten(const struct judge_call *call)
{
    cudaError_t error = keep(call, false);
    for (uint32_t i = 0; i < call->problem->calls && error == cudaSuccess; i++) {
        error = keep(call, true);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(workspace_of(call), (int)(0xFF - i), LESSON9_WORKSPACE_BYTES,
                                    call->stream);
        if (error == cudaSuccess)
            error = call_once(call);
    }
    return error;
}

/* One call as a graph. The capture is relaxed, so that a launcher that reads the step on the host,
 * which a capture cannot see, is not stopped here: it freezes the step, and results show that. */
static cudaError_t captured(const struct judge_call *call, cudaGraphExec_t *graph)
{
    cudaGraph_t recorded = NULL;
    cudaError_t error = step_to(call, 0);
    if (error == cudaSuccess)
        error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaError_t called = call_now(call);
    error = cudaStreamEndCapture(call->stream, &recorded);
    if (called != cudaSuccess)
        error = called;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(graph, recorded, 0);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

static cudaError_t all_runs(const struct judge_call *call, cudaGraphExec_t graph)
{
    cudaError_t error = cudaSuccess;
    for (int run = 0; run < RUNS && error == cudaSuccess; run++) {
        error = step_to(call, run);
        if (error == cudaSuccess)
            error = graph ? cudaGraphLaunch(graph, call->stream) : call_now(call);
    }
    return error;
}

static cudaError_t replayed(const struct judge_call *call)
{
    cudaGraphExec_t graph = NULL;
    cudaError_t error = captured(call, &graph);
    if (error == cudaSuccess)
        error = all_runs(call, graph);
    if (graph)
        cudaGraphExecDestroy(graph);
    return error;
}

/* As many elements as a list may have, in so many tensors. Nothing reads or writes them, so the
 * pointers are those of the first tensor. */
static cudaError_t call_most(const struct judge_call *call, int count)
{
    static struct quest_adamw_tensor tensors[LESSON9_MOST_TENSORS];
    struct quest_adamw hyper = hyper_of(call->problem);
    for (int i = 0; i < count; i++) {
        tensors[i] = tensor_of(call, 0);
        tensors[i].n = LESSON9_MOST_ELEMENTS / count;
    }
    tensors[count - 1].n += LESSON9_MOST_ELEMENTS % count;
    return ((adamw *)call->symbols[0])(tensors, count, &hyper, call->buffers[STEPS],
                                       workspace_of(call), call->stream);
}

static cudaError_t call_most_in_one(const struct judge_call *call)
{
    return call_most(call, 1);
}

static cudaError_t call_most_in_all(const struct judge_call *call)
{
    return call_most(call, LESSON9_MOST_TENSORS);
}

static cudaError_t most_first(const struct judge_call *call)
{
    cudaError_t error = judge_capture_alone(call, call_most_in_one);
    if (error == cudaSuccess)
        error = judge_capture_alone(call, call_most_in_all);
    return error == cudaSuccess ? call_once(call) : error;
}

cudaError_t adamw_launch(const struct judge_call *call)
{
    if (call->problem->refused_with == JUDGE_LAUNCH_FAILS)
        return judge_without_launch(call, call_once);
    switch ((enum script)call->problem->script) {
    case AS_GRAPH: return judge_graph(call, call_once);
    case REPLAYED: return replayed(call);
    case GONE_BACK: return all_runs(call, NULL);
    case IN_TURN: return in_turn(call);
    case TYPE_FIRST: return different_first(call, OTHER_TYPES);
    case OTHER_P_FIRST:
    case OTHER_G_FIRST:
    case OTHER_M_FIRST:
    case OTHER_V_FIRST: return different_first(call, OTHER_FIELDS);
    case OVERWRITTEN: return overwritten(call);
    case MOST_FIRST: return most_first(call);
    default: return call_once(call);
    }
}
