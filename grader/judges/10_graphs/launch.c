/* launch.c - lesson 10, in the runner: makes steps in the launch that prepares, and runs them in
 * the one that counts.
 *
 * A case's steps live until the next case prepares, so that no destroy is part of what is counted.
 */
#include "judges/10_graphs/calls.h"
#include "judges/10_graphs/parts.h"

#include <math.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(struct kept) <= GRAPHS_SCRATCH_BYTES, "what is kept has room");

/* --- Calling ---------------------------------------------------------------------------------- */

struct quest_training graphs_training(const struct judge_call *call, int which, void *const *at)
{
    const struct graphs_network network = graphs_network(call->problem, which);
    const double *real = call->problem->real;
    return (struct quest_training){.batch = network.batch,
                                   .in = network.in,
                                   .hidden = network.hidden,
                                   .out = network.out,
                                   .p = at[P],
                                   .m = at[M],
                                   .v = at[V],
                                   .step = at[STEP],
                                   .drop = (float)real[DROP],
                                   .key = graphs_key(call->problem, which),
                                   .lr = (float)real[LR],
                                   .beta1 = (float)real[BETA1],
                                   .beta2 = (float)real[BETA2],
                                   .eps = (float)real[EPS],
                                   .weight_decay = (float)real[WEIGHT_DECAY]};
}

/* What it was told is overwritten when the call has returned: it must have read it. */
cudaError_t graphs_create(const struct judge_call *call, struct quest_training *training,
                          struct lesson10_step **step)
{
    cudaError_t error = ((create_function *)call->symbols[CREATE])(step, training);
    memset(training, 0xFF, sizeof *training);
    __asm__ volatile("" ::"r"(training) : "memory");
    return error;
}

static cudaError_t run_on(const struct judge_call *call, struct lesson10_step *step,
                          const float *batch, cudaStream_t stream)
{
    return ((run_function *)call->symbols[RUN])(step, batch, stream);
}

/* --- Batches ---------------------------------------------------------------------------------- */

static struct kept *kept_of(const struct judge_call *call)
{
    return call->memory;
}

/* How many places there are for the batches of a network's runs: they take turns. */
static int places_of(const struct judge_call *call, int which)
{
    uint32_t script = call->problem->script;
    return script == REUSED ? 2 : script == NUDGED ? 1 : graphs_network(call->problem, which).runs;
}

/* The batch of a run in pinned memory. */
static float *batch_at(const struct judge_call *call, int which, int run)
{
    const struct kept *kept = kept_of(call);
    const struct graphs_network network = graphs_network(call->problem, which);
    size_t place = (size_t)(run % places_of(call, which));
    return kept->batches[which] + place * graphs_batch_floats(&network);
}

static void write_batch(const struct judge_call *call, int which, int run)
{
    const struct graphs_network network = graphs_network(call->problem, which);
    float *to = batch_at(call, which, run);
    for (size_t i = 0; i < graphs_batch_floats(&network); i++)
        to[i] = graphs_batch_number(call->problem, which, run, i);
}

/* A number that is written late: LATE_NUMBERS of them, or all, are spread over a batch. */
static float *late_number(const struct judge_call *call, int which, int run, uint64_t i)
{
    const struct graphs_network network = graphs_network(call->problem, which);
    uint64_t floats = graphs_batch_floats(&network), late = i * (1 + floats / LATE_NUMBERS);
    return late < floats ? &batch_at(call, which, run)[late] : NULL;
}

/* What a batch holds is complete when its run is asked for, and not before. */
static void write_batches(const struct judge_call *call, int which)
{
    for (int run = 0; run < graphs_network(call->problem, which).runs; run++) {
        write_batch(call, which, run);
        for (uint64_t i = 0; late_number(call, which, run, i); i++)
            *late_number(call, which, run, i) = NAN;
    }
}

static void complete_batch(const struct judge_call *call, int which, int run)
{
    const float *batch = batch_at(call, which, run);
    float *late = NULL;
    for (uint64_t i = 0; (late = late_number(call, which, run, i)); i++)
        *late = graphs_batch_number(call->problem, which, run, (uint64_t)(late - batch));
}

/* Room for batches, which hold nothing yet. */
static cudaError_t make_batches(const struct judge_call *call, int which)
{
    struct kept *kept = kept_of(call);
    const struct graphs_network network = graphs_network(call->problem, which);
    size_t floats = (size_t)network.runs * graphs_batch_floats(&network);
    if (floats > kept->floats[which]) {
        cudaFreeHost(kept->batches[which]);
        kept->floats[which] = 0;
        kept->batches[which] = NULL;
        cudaError_t error = cudaHostAlloc((void **)&kept->batches[which], floats * sizeof(float),
                                          cudaHostAllocDefault);
        if (error != cudaSuccess)
            return error;
        kept->floats[which] = floats;
    }
    memset(kept->batches[which], 0xFF, floats * sizeof(float)); /* NaN */
    return cudaSuccess;
}

/* --- Preparing -------------------------------------------------------------------------------- */

static cudaError_t make_own(struct kept *kept)
{
    cudaError_t error = cudaSuccess;
    if (kept->others[0])
        return error;
    for (int i = 0; i < NETWORKS - 1 && error == cudaSuccess; i++)
        error = cudaStreamCreateWithFlags(&kept->others[i], cudaStreamNonBlocking);
    for (int i = 0; i < OWN_EVENTS && error == cudaSuccess; i++)
        error = cudaEventCreateWithFlags(&kept->events[i], cudaEventDisableTiming);
    return error;
}

static cudaError_t destroy_kept(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    cudaError_t error = cudaSuccess;
    for (int which = 0; which < NETWORKS; which++) {
        if (kept->steps[which] && error == cudaSuccess)
            error = ((destroy_function *)call->symbols[DESTROY])(kept->steps[which]);
        kept->steps[which] = NULL;
    }
    return error;
}

cudaError_t graphs_prepare(const struct judge_call *call, void *const *at)
{
    struct kept *kept = kept_of(call);
    cudaError_t error = destroy_kept(call);
    if (error == cudaSuccess)
        error = make_own(kept);
    for (int which = 0; which < graphs_networks(call->problem) && error == cudaSuccess; which++) {
        struct quest_training training = graphs_training(call, which, at + which * OF_NETWORK);
        error = make_batches(call, which);
        if (error == cudaSuccess)
            error = graphs_create(call, &training, &kept->steps[which]);
    }
    for (int which = 0; which < graphs_networks(call->problem) && error == cudaSuccess; which++)
        write_batches(call, which);
    return error;
}

/* --- Scripts ---------------------------------------------------------------------------------- */

/* Runs from first on, and before end. */
static cudaError_t runs(const struct judge_call *call, int which, int first, int end,
                        cudaStream_t stream)
{
    struct kept *kept = kept_of(call);
    cudaError_t error = cudaSuccess;
    for (int run = first; run < end && error == cudaSuccess; run++) {
        complete_batch(call, which, run);
        error = run_on(call, kept->steps[which], batch_at(call, which, run), stream);
    }
    return error;
}

static int runs_of(const struct judge_call *call)
{
    return (int)call->problem->size[RUNS];
}

/* What to holds from here on comes after what from holds now. */
static cudaError_t follow(cudaEvent_t event, cudaStream_t from, cudaStream_t to)
{
    cudaError_t error = cudaEventRecord(event, from);
    return error == cudaSuccess ? cudaStreamWaitEvent(to, event, 0) : error;
}

static cudaError_t on_two_streams(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    int half = runs_of(call) / 2;
    cudaError_t error = runs(call, 0, 0, half, call->stream);
    if (error == cudaSuccess)
        error = follow(kept->events[0], call->stream, kept->others[0]);
    if (error == cudaSuccess)
        error = runs(call, 0, half, runs_of(call), kept->others[0]);
    return error == cudaSuccess ? follow(kept->events[1], kept->others[0], call->stream) : error;
}

static cudaError_t in_turn(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    int networks = graphs_networks(call->problem);
    cudaError_t error = cudaSuccess;
    for (int which = 1; which < networks && error == cudaSuccess; which++)
        error = follow(kept->events[0], call->stream, kept->others[which - 1]);
    for (int run = 0; run < runs_of(call); run++)
        for (int which = 0; which < networks && error == cudaSuccess; which++)
            error = runs(call, which, run, run + 1,
                         which == 0 ? call->stream : kept->others[which - 1]);
    for (int which = 1; which < networks && error == cudaSuccess; which++)
        error = follow(kept->events[1], kept->others[which - 1], call->stream);
    return error;
}

/* What holds a stream up: until it is told to go on, or has looked so often, a millisecond apart or
 * more. */
struct gate {
    int looks;
    _Atomic bool is_open, gave_up;
};
enum { SOME_LOOKS = 500, MANY_LOOKS = 3000 };

static void stand_at(void *of)
{
    struct gate *gate = of;
    for (int look = 0; look < gate->looks && !gate->is_open; look++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    gate->gave_up = !gate->is_open;
}

/* All runs of one step stand behind the gate, before those of the other one are asked for. The
 * answer: these did not wait for it. A GPU has few queues for the streams of a process, so one that
 * stands still may hold up another there for no fault of the program's. */
static cudaError_t held_up(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    struct gate gate = {.looks = MANY_LOOKS};
    cudaError_t error = follow(kept->events[0], call->stream, kept->others[0]);
    if (error == cudaSuccess)
        error = cudaLaunchHostFunc(call->stream, stand_at, &gate);
    if (error == cudaSuccess)
        error = runs(call, 0, 0, runs_of(call), call->stream);
    bool host_waited = gate.gave_up; /* so nothing is shown; a bar says that it may not */
    if (error == cudaSuccess)
        error = runs(call, 1, 0, runs_of(call), kept->others[0]);
    cudaError_t waited = cudaStreamSynchronize(kept->others[0]);
    uint32_t answer = host_waited || !gate.gave_up;
    gate.is_open = true;
    cudaError_t ended = cudaStreamSynchronize(call->stream); /* the gate is this function's own */
    if (error == cudaSuccess)
        error = waited == cudaSuccess ? ended : waited;
    return error == cudaSuccess ? cudaMemcpyAsync(call->buffers[WENT_ON], &answer, sizeof answer,
                                                  cudaMemcpyHostToDevice, call->stream)
                                : error;
}

/* Until the event is reached, or the gate has given up. */
static bool is_reached(cudaEvent_t event, const struct gate *gate)
{
    while (!gate->gave_up && cudaEventQuery(event) == cudaErrorNotReady)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return !gate->gave_up;
}

enum arrival { NOT_SEEN, ARRIVES, WAITS };

/* A run whose stream stands still: does its batch arrive all the same? It is not seen where the
 * host itself has waited, or copies by another function. */
static cudaError_t run_behind_gate(const struct judge_call *call, int run, cudaStream_t stream,
                                   int looks, enum arrival *arrival)
{
    struct kept *kept = kept_of(call);
    struct gate gate = {.looks = looks};
    cudaError_t error = cudaLaunchHostFunc(stream, stand_at, &gate);
    graphs_front = (struct graphs_front){.watches = true, .copied = kept->events[0]};
    if (error == cudaSuccess)
        error = runs(call, 0, run, run + 1, stream);
    graphs_front.watches = false;
    *arrival = NOT_SEEN;
    if (error == cudaSuccess && !gate.gave_up && graphs_front.has_copied)
        *arrival = graphs_front.copied_on != stream && is_reached(kept->events[0], &gate) ? ARRIVES
                                                                                          : WAITS;
    gate.is_open = true;
    cudaError_t ended = cudaStreamSynchronize(stream); /* the gate is this function's own */
    return error == cudaSuccess ? ended : error;
}

/* The answer: a batch that arrives early on a stream of the runner's does so on the default one,
 * too. If it never does, that is for the timed case to say. */
static cudaError_t ahead(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    enum arrival on_other = NOT_SEEN, on_default = NOT_SEEN;
    cudaError_t error = follow(kept->events[1], call->stream, kept->others[0]);
    if (error == cudaSuccess)
        error = runs(call, 0, 0, 1, kept->others[0]);
    if (error == cudaSuccess)
        error = run_behind_gate(call, 1, kept->others[0], SOME_LOOKS, &on_other);
    if (error == cudaSuccess && on_other == ARRIVES)
        error = run_behind_gate(call, 2, call->stream, MANY_LOOKS, &on_default);
    if (error == cudaSuccess)
        error = runs(call, 0, on_other == ARRIVES ? 3 : 2, runs_of(call), call->stream);
    uint32_t answer = on_other != ARRIVES || on_default != WAITS;
    return error == cudaSuccess ? cudaMemcpyAsync(call->buffers[ARRIVED], &answer, sizeof answer,
                                                  cudaMemcpyHostToDevice, call->stream)
                                : error;
}

static cudaError_t go_back(const struct judge_call *call, int which)
{
    const struct graphs_network network = graphs_network(call->problem, which);
    size_t parameters = graphs_parameters(&network), from = graphs_back_to(call->problem, which);
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < OF_NETWORK && error == cudaSuccess; i++)
        error =
            cudaMemcpyAsync(call->buffers[(size_t)which * OF_NETWORK + i], call->buffers[from + i],
                            i == STEP ? sizeof(uint64_t) : parameters * sizeof(float),
                            cudaMemcpyDeviceToDevice, call->stream);
    return error;
}

/* All runs of a network. Before one of them p, m, v and *step are overwritten, on the stream. */
static cudaError_t runs_with_way_back(const struct judge_call *call, int which)
{
    int before = graphs_back_before(call->problem, which);
    cudaError_t error = runs(call, which, 0, before, call->stream);
    if (error == cudaSuccess)
        error = go_back(call, which);
    int end = graphs_network(call->problem, which).runs;
    return error == cudaSuccess ? runs(call, which, before, end, call->stream) : error;
}

/* A submission may know this case: a run that leaves its work to a later one is found by the step
 * that it does. */
static cudaError_t mixed(const struct judge_call *call)
{
    cudaError_t error = cudaSuccess;
    for (int which = 0; which < PAIR && error == cudaSuccess; which++)
        error = runs_with_way_back(call, which);
    return error;
}

/* One batch or two are under way at a time. When a step is done, another batch takes its batch's
 * place. */
static cudaError_t reused(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    cudaError_t error = cudaSuccess;
    int places = places_of(call, 0);
    for (int run = 0; run < runs_of(call) && error == cudaSuccess; run++) {
        if (run >= places)
            error = cudaEventSynchronize(kept->events[run % places]);
        write_batch(call, 0, run);
        if (error == cudaSuccess)
            error = runs(call, 0, run, run + 1, call->stream);
        if (error == cudaSuccess)
            error = cudaEventRecord(kept->events[run % places], call->stream);
    }
    return error;
}

/* All that is made from here on has to be given back, so what this file keeps is made before. */
static cudaError_t prepare_life(const struct judge_call *call)
{
    cudaError_t error = destroy_kept(call);
    return error == cudaSuccess ? make_batches(call, 0) : error;
}

static cudaError_t one_life(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    struct quest_training training = graphs_training(call, 0, call->buffers);
    cudaError_t error = graphs_create(call, &training, &kept->steps[0]);
    if (error == cudaSuccess)
        write_batches(call, 0);
    if (error == cudaSuccess)
        error = runs(call, 0, 0, runs_of(call), call->stream);
    cudaError_t destroyed = destroy_kept(call);
    return error == cudaSuccess ? destroyed : error;
}

/* What the caller captures is one node, before and after. */
static cudaError_t prepare_among_others(const struct judge_call *call)
{
    struct kept *kept = kept_of(call);
    cudaGraph_t recorded = NULL;
    cudaError_t error = destroy_kept(call); /* whose waits are no part of this */
    if (error == cudaSuccess)
        error = make_own(kept);
    if (error == cudaSuccess)
        error = make_batches(call, 0);
    if (error == cudaSuccess)
        error = cudaStreamBeginCapture(kept->others[0], cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    graphs_front = (struct graphs_front){.watches = true, .others_work = true};
    error = graphs_prepare(call, call->buffers);
    graphs_front.watches = false;
    cudaError_t ended = cudaStreamEndCapture(kept->others[0], &recorded);
    if (recorded)
        cudaGraphDestroy(recorded);
    if (error == cudaSuccess && graphs_front.was_kept_from_work)
        error = cudaErrorStreamCaptureUnsupported;
    return error == cudaSuccess ? ended : error;
}

static cudaError_t just_made(const struct judge_call *call)
{
    cudaError_t error = graphs_prepare(call, call->buffers);
    return error == cudaSuccess ? runs(call, 0, 0, runs_of(call), call->stream) : error;
}

static cudaError_t others_at_work(const struct judge_call *call)
{
    cudaError_t error = prepare_among_others(call);
    return error == cudaSuccess ? runs(call, 0, 0, runs_of(call), call->stream) : error;
}

cudaError_t graphs_launch(const struct judge_call *call)
{
    uint32_t script = call->problem->script;
    if (script >= ARGUMENTS)
        return graphs_refused(call);
    if (call->prepares)
        return script == ONE_LIFE ? prepare_life(call) : graphs_prepare(call, call->buffers);
    switch ((enum script)script) {
    case TWO_STREAMS: return on_two_streams(call);
    case IN_TURN: return in_turn(call);
    case HELD_UP: return held_up(call);
    case AHEAD: return ahead(call);
    case MIXED: return mixed(call);
    case REUSED:
    case NUDGED: return reused(call);
    case GONE_BACK: return runs_with_way_back(call, 0);
    case JUST_MADE: return just_made(call);
    case OTHERS_AT_WORK: return others_at_work(call);
    case ONE_LIFE: return one_life(call);
    case STEADY: return graphs_steady(call);
    default: return runs(call, 0, 0, runs_of(call), call->stream);
    }
}
