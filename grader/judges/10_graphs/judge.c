/* judge.c - lesson 10: a training step as a graph, with the next batch on its way.
 *
 * The kernels are given, so what can go wrong is when things run: a batch that is read too late or
 * overwritten too early, a step's number that a graph has frozen, work that nothing orders. On the
 * simulated device, streams that nothing orders go on in an order that is drawn, so such results
 * are wrong in some run or other; and where the results of either order are right, the checked run
 * finds that such work touches the same memory.
 *
 * Results are compared bit for bit, and not within a bound. Where a gradient is a rounding error
 * away from 0, AdamW's update has its sign, and may be as large as the rate either way: after a few
 * steps no bound tells a right step from one with a wrong mask. So the contract gives the order of
 * every sum (common/train_step.h), and truth.c follows it.
 *
 * A step is made in the launch that prepares, so creating it is no part of what is counted. The
 * timed case is small: its kernels are shorter than their launches. It is timed by the modelled
 * time line, where the host's calls take time and copies run beside kernels. A GPU is timed with
 * the small network and a large one in turn, whose batch takes as long to arrive as its step.
 *
 * The contract is common/contracts/10_graphs.h; read grader/check/judge.h for the fields.
 * Next: problem.h; then clauses.c, drawn.c, fill.c, truth.c, launch.c, steady.c and mistakes.c.
 */
#include "judges/10_graphs/clauses.h"
#include "judges/10_graphs/parts.h"
#include "judges/10_graphs/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const LAUNCHERS[] = {"lesson10_create", "lesson10_run", "lesson10_destroy",
                                        NULL};

/* --- Cases ------------------------------------------------------------------------------------ */

#define ASKS(a) .asks = JUDGE_ASKS(a)
#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
#define ASKS3(a, b, c) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b) | JUDGE_ASKS(c)

#define HYPER(lr, beta1, beta2, eps, weight_decay, drop) \
    .real = {lr, beta1, beta2, eps, weight_decay, drop}
#define USUAL HYPER(0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 0.1F)

/* Made in the launch that prepares, unless a case says otherwise. */
#define BARE(text, batch, in, hidden, out, runs, first, how, ...)                       \
    {                                                                                   \
        .name = text, .size = {batch, in, hidden, out, runs, first, 99}, .script = how, \
        __VA_ARGS__                                                                     \
    }
#define FULL(text, batch, in, hidden, out, runs, first, how, ...)                        \
    BARE(text, batch, in, hidden, out, runs, first, how, .launcher = RUN, .prepares = 1, \
         .calls = runs, __VA_ARGS__)
#define CASE(text, batch, in, hidden, out, runs, first, ...) \
    FULL(text, batch, in, hidden, out, runs, first, BACK_TO_BACK, USUAL, __VA_ARGS__)
#define TURNS(text, runs, networks, ...)                                                     \
    {                                                                                        \
        .name = text, .launcher = RUN, .prepares = 1, .calls = (runs) * (networks),          \
        .size = {8, 12, 20, 4, runs, 5, 99, networks}, .script = IN_TURN, USUAL, __VA_ARGS__ \
    }
#define HYPER_CASE(text, clause, ...) \
    FULL(text, 8, 12, 20, 4, 3, 3, BACK_TO_BACK, HYPER(__VA_ARGS__), ASKS(clause))
/* The runner itself waits or copies in between: bars on runs do not hold for it. */
#define NOT_COUNTED .launcher = CREATE

#define REFUSED(text, clause, how, ...)                                                  \
    {                                                                                    \
        .name = text, .launcher = CREATE, .size = {4, 4, 4, 4, 1, 0, 99}, .script = how, \
        .refused_with = cudaErrorInvalidValue, USUAL, ASKS(clause), __VA_ARGS__          \
    }
#define REFUSED_FIELD(text, ...)                                                            \
    {                                                                                       \
        .name = text, .launcher = CREATE, .size = {4, 4, 4, 4, 1, 0, 99}, .script = FIELDS, \
        .refused_with = cudaErrorInvalidValue, HYPER(__VA_ARGS__), ASKS(CREATE_REFUSES)     \
    }

#define FAILS(text, down)                                                                         \
    {                                                                                             \
        .name = text, .launcher = CREATE, .size = {4, 4, 4, 4, 1, 0, 99, down},                   \
        .script = CALLS_FAIL, .refused_with = GRAPHS_DOWN_ERROR, .leaves_nothing = 1, .makes = 1, \
        USUAL, ASKS2(CREATE_ERRORS, NOTHING_LEFT)                                                 \
    }

/* clang-format off */
/* What has to be refused comes last. */
static const struct judge_case CASES[] = {
    CASE("1 step of 8 x 12-20-4", 8, 12, 20, 4, 1, 0, ASKS3(ONE_STEP, NETWORK_IS, BATCH_HOLDS)),
    CASE("5 steps of 8 x 12-20-4", 8, 12, 20, 4, 5, 0, ASKS3(AFTER_RUNS, MADE_ONCE, STEP_IS)),
    CASE("5 steps, from step 7 on", 8, 12, 20, 4, 5, 7, ASKS3(STEP_IS, READ_WHEN_IT_RUNS,
         AFTER_RUNS)),
    CASE("5 steps, from step 2^33 on", 8, 12, 20, 4, 5, INT64_C(1) << 33, ASKS(STEP_IS)),
    CASE("4 steps of 1 x 1-1-1", 1, 1, 1, 1, 4, 0, ASKS2(SIDES, COLUMNS_ARE)),
    CASE("4 steps of 33 x 17-40-5", 33, 17, 40, 5, 4, 1, ASKS3(BATCH_IS, COLUMNS_ARE,
         MOMENTS_ARE)),
    CASE("4 steps of 5 x 64-3-31", 5, 64, 3, 31, 4, 1, ASKS3(BATCH_IS, COLUMNS_ARE, MOMENTS_ARE)),
    CASE("12 steps of 16 x 32-16-8", 16, 32, 16, 8, 12, 0, ASKS2(AFTER_RUNS, IN_ORDER)),
    CASE("4 steps of 64 x 257-32-16: long copies", 64, 257, 32, 16, 4, 0, ASKS2(AFTER_RUNS,
         IN_ORDER)),
    CASE("4 steps, p one off", 8, 12, 20, 4, 4, 0, .offset_bytes = {[P] = 4}, ASKS(ALIGNMENT)),
    CASE("4 steps, m two off, v three off", 8, 12, 20, 4, 4, 0,
         .offset_bytes = {[M] = 8, [V] = 12}, ASKS(ALIGNMENT)),
    HYPER_CASE("3 steps, nothing dropped", DROP_IS, 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 0),
    HYPER_CASE("3 steps, 0.9 dropped", DROP_IS, 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 0.9F),
    HYPER_CASE("3 steps, lr 0.5, betas 0", LR_IS, 0.5F, 0, 0, 1e-8F, 0.01F, 0.1F),
    HYPER_CASE("3 steps, lr 0", LR_IS, 0, 0.9F, 0.999F, 1e-8F, 0.01F, 0.1F),
    HYPER_CASE("3 steps, eps 0.5", EPS_IS, 0.5F, 0.9F, 0.999F, 0.5F, 0.01F, 0.1F),
    HYPER_CASE("3 steps, weight_decay 0", DECAY_IS, 0.5F, 0.9F, 0.999F, 1e-8F, 0, 0.1F),
    HYPER_CASE("3 steps, weight_decay 0.5", DECAY_IS, 0.5F, 0.9F, 0.999F, 1e-8F, 0.5F, 0.1F),
    HYPER_CASE("3 steps, lr and eps as large as may be", LR_IS, FLT_MAX, 0.9F, 0.999F, FLT_MAX, 0,
               0.1F),
    HYPER_CASE("3 steps, weight_decay as large as may be, lr 0", DECAY_IS, 0, 0.9F, 0.999F, 1e-8F,
               FLT_MAX, 0.1F),
    FULL("6 steps, the last ones on another stream", 8, 12, 20, 4, 6, 0, TWO_STREAMS, USUAL,
         ASKS2(ONE_STREAM, IN_ORDER)),
    TURNS("6 steps of two networks in turn", 6, 2, ASKS(SEVERAL_STEPS)),
    TURNS("3 steps of three networks in turn", 3, 3, ASKS(SEVERAL_STEPS)),
    TURNS("3 steps of four networks in turn", 3, 4, ASKS(SEVERAL_STEPS)),
    BARE("4 steps beside others that are held up", 8, 12, 20, 4, 4, 5, HELD_UP, USUAL,
         NOT_COUNTED, .prepares = 1, .simulated_only = 1, ASKS(SEVERAL_STEPS)),
    FULL("5 steps on the default stream", 8, 12, 20, 4, 5, 0, BACK_TO_BACK, USUAL, .on_default = 1,
         ASKS2(DEFAULT_TOO, NO_WAITS)),
    BARE("4 steps, the last ones on the default stream", 8, 12, 20, 4, 4, 0, AHEAD, USUAL,
         NOT_COUNTED, .once = 1, .prepares = 1, .simulated_only = 1, .on_default = 1,
         ASKS2(RETURNS_EARLY, DEFAULT_TOO)),
    BARE("8 steps, batches are overwritten", 8, 12, 20, 4, 8, 0, REUSED, USUAL,
         NOT_COUNTED, .prepares = 1, ASKS(BATCH_IS_FREE)),
    BARE("9 steps, of one batch a number changes", 24, 100, 12, 6, 9, 0, NUDGED, USUAL,
         NOT_COUNTED, .prepares = 1, ASKS3(BATCH_IS_FREE, ONE_STEP, ONE_COPY)),
    BARE("6 steps, p, m, v and *step are overwritten", 8, 12, 20, 4, 6, 20, GONE_BACK, USUAL,
         NOT_COUNTED, .prepares = 1, ASKS2(WRITTEN_BETWEEN, READ_WHEN_IT_RUNS)),
    BARE("3 steps, right after they are made", 8, 12, 20, 4, 3, 0, JUST_MADE, USUAL, NOT_COUNTED,
         .makes = 1, ASKS(OWN_STREAMS)),
    BARE("3 steps, made while others are at work", 8, 12, 20, 4, 3, 0, OTHERS_AT_WORK, USUAL,
         NOT_COUNTED, .makes = 1, ASKS(OTHERS_AT_WORK_TOO)),
    BARE("5 steps, and destroyed at once", 8, 12, 20, 4, 5, 0, ONE_LIFE, USUAL, NOT_COUNTED,
         .prepares = 1, .leaves_nothing = 1, .makes = 1, ASKS(DESTROYED)),
    CASE("520 steps of 1 x 1-1-1", 1, 1, 1, 1, 520, 0, .once = 1, ASKS2(MADE_ONCE, AFTER_RUNS)),
    CASE("1 step of 65536 x 1-1-1", 65536, 1, 1, 1, 1, 0, .once = 1, ASKS2(SIDES, BATCH_IS)),
    CASE("1 step of 1 x 1-65536-1", 1, 1, 65536, 1, 1, 0, .once = 1, ASKS2(SIDES, COLUMNS_ARE)),
    CASE("1 step of 1 x 1-1-65536", 1, 1, 1, 65536, 1, 0, .once = 1, ASKS2(SIDES, COLUMNS_ARE)),
    CASE("1 step of 64 x 65536-1-1: a batch of 16 MiB", 64, 65536, 1, 1, 1, 0, .once = 1,
         ASKS3(SIDES, COLUMNS_ARE, BATCH_HOLDS)),
    REFUSED("no training", CREATE_REFUSES, NO_TRAINING),
    REFUSED("a step that goes nowhere", CREATE_REFUSES, NO_PLACE),
    REFUSED("no p", CREATE_REFUSES, NO_P),
    REFUSED("no m", CREATE_REFUSES, NO_M),
    REFUSED("no v", CREATE_REFUSES, NO_V),
    REFUSED("no step on the device", CREATE_REFUSES, NO_STEP),
    REFUSED("batch = 0", CREATE_REFUSES, BATCH_0),
    REFUSED("in = 0", CREATE_REFUSES, IN_0),
    REFUSED("hidden = 0", CREATE_REFUSES, HIDDEN_0),
    REFUSED("hidden = -16", CREATE_REFUSES, HIDDEN_NEGATIVE),
    REFUSED("out = 0", CREATE_REFUSES, OUT_0),
    REFUSED("batch = 65537", SIDES, BATCH_PAST),
    REFUSED("in = 65537", SIDES, IN_PAST),
    REFUSED("hidden = 65537", SIDES, HIDDEN_PAST),
    REFUSED("out = 65537", SIDES, OUT_PAST),
    REFUSED("no step to run", RUN_REFUSES, NOTHING_RUN),
    REFUSED("no batch", RUN_REFUSES, NO_BATCH, .makes = 1),
    REFUSED("no step to destroy", DESTROY_REFUSES, NOTHING_DESTROYED),
    FAILS("no memory is left", MEMORY_DOWN),
    FAILS("no stream can be made", STREAMS_DOWN),
    FAILS("no event can be made", EVENTS_DOWN),
    FAILS("no capture can begin", CAPTURES_DOWN),
    FAILS("no graph can be instantiated", GRAPHS_DOWN),
    FAILS("one allocation fails", FIRST_MEMORY_DOWN),
    FAILS("one event cannot be made", FIRST_EVENT_DOWN),
    REFUSED_FIELD("drop = 1", 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 1),
    REFUSED_FIELD("drop = -0.1", 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, -0.1F),
    REFUSED_FIELD("drop is NaN", 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, NAN),
    REFUSED_FIELD("lr = -1", -1, 0.9F, 0.999F, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("lr is NaN", NAN, 0.9F, 0.999F, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("lr is infinite", INFINITY, 0.9F, 0.999F, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("beta1 = 1", 0.001F, 1, 0.999F, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("beta1 = -0.5", 0.001F, -0.5F, 0.999F, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("beta1 is NaN", 0.001F, NAN, 0.999F, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("beta2 = 1", 0.001F, 0.9F, 1, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("beta2 = -0.5", 0.001F, 0.9F, -0.5F, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("beta2 is NaN", 0.001F, 0.9F, NAN, 1e-8F, 0.01F, 0.1F),
    REFUSED_FIELD("eps = 0", 0.001F, 0.9F, 0.999F, 0, 0.01F, 0.1F),
    REFUSED_FIELD("eps is NaN", 0.001F, 0.9F, 0.999F, NAN, 0.01F, 0.1F),
    REFUSED_FIELD("eps is infinite", 0.001F, 0.9F, 0.999F, INFINITY, 0.01F, 0.1F),
    REFUSED_FIELD("weight_decay = -1", 0.001F, 0.9F, 0.999F, 1e-8F, -1, 0.1F),
    REFUSED_FIELD("weight_decay is NaN", 0.001F, 0.9F, 0.999F, 1e-8F, NAN, 0.1F),
    REFUSED_FIELD("weight_decay is infinite", 0.001F, 0.9F, 0.999F, 1e-8F, INFINITY, 0.1F),
};
/* clang-format on */

/* A small network, whose kernels take no longer than their launches, and a wide one, whose batches
 * take long to arrive. */
enum { TIMED_RUNS = 4, STEADY_TIMED_RUNS = 40 };

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case simulated =
        BARE("4 steps of 8 x 16-32-8, 4 of 512 x 512-16-8", 8, 16, 32, 8, TIMED_RUNS, 1000, MIXED,
             USUAL, .launcher = RUN, .prepares = 1, .calls = TIMED_RUNS + WIDE_RUNS,
             .own_copies = PAIR * OF_NETWORK);
    const struct judge_case on_device =
        BARE("40 steps of 32 x 64-64-32, 6 of 1024 x 4096-256-16", 32, 64, 64, 32,
             STEADY_TIMED_RUNS, 1000, STEADY, USUAL, .launcher = RUN);
    if (room == 0)
        return 0;
    cases[0] = device->simulated ? simulated : on_device;
    return 1;
}

/* --- Buffers and work ------------------------------------------------------------------------- */

static void network_buffers(const struct judge_case *problem, int which, struct judge_buffer *list)
{
    static const char *const NAMES[NETWORKS][OF_NETWORK] = {
        {"step", "p", "m", "v"},
        {"the second step", "the second p", "the second m", "the second v"},
        {"the third step", "the third p", "the third m", "the third v"},
        {"the fourth step", "the fourth p", "the fourth m", "the fourth v"}};
    const struct graphs_network network = graphs_network(problem, which);
    for (int i = 0; i < OF_NETWORK; i++)
        list[i] = (struct judge_buffer){.name = NAMES[which][i],
                                        .role = JUDGE_INOUT,
                                        .type = i == STEP ? JUDGE_U64 : JUDGE_F32,
                                        .count = i == STEP ? 1 : graphs_parameters(&network)};
}

/* What overwrites a network's buffers. */
static void back_buffers(const struct judge_case *problem, int which, struct judge_buffer *list)
{
    static const char *const NAMES[OF_NETWORK] = {"an earlier step", "an earlier p", "an earlier m",
                                                  "an earlier v"};
    network_buffers(problem, which, list);
    for (int i = 0; i < OF_NETWORK; i++) {
        list[i].name = NAMES[i];
        list[i].role = JUDGE_IN;
    }
}

static const char *const ARRIVED_MEANS[] = {
    "the copy of a batch waited for the default stream, which was held up"};

static const char *const WENT_ON_MEANS[] = {
    "a step waited for another one, whose stream was held up"};

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    int networks = graphs_networks(problem);
    size_t count = (size_t)networks * OF_NETWORK;
    for (int which = 0; which < networks; which++)
        network_buffers(problem, which, list + which * OF_NETWORK);
    bool goes_back = problem->script == GONE_BACK || problem->script == MIXED;
    for (int which = 0; which < networks && goes_back; which++, count += OF_NETWORK)
        back_buffers(problem, which, list + count);
    if (problem->script == AHEAD)
        list[count++] = (struct judge_buffer){.name = "arrives beside the default stream",
                                              .role = JUDGE_OUT,
                                              .type = JUDGE_U32,
                                              .count = 1,
                                              .wrong_means = ARRIVED_MEANS};
    if (problem->script == HELD_UP)
        list[count++] = (struct judge_buffer){.name = "goes on beside the other step",
                                              .role = JUDGE_OUT,
                                              .type = JUDGE_U32,
                                              .count = 1,
                                              .wrong_means = WENT_ON_MEANS};
    if (problem->script == STEADY)
        list[count++] = (struct judge_buffer){
            .name = "a seed of the batches", .role = JUDGE_IN, .type = JUDGE_U32, .count = 1};
    return count;
}

/* Three products of either layer, forward and backward, but for the gradient of x. */
static struct judge_work work(const struct judge_case *problem)
{
    struct judge_work work = {.bytes = 0};
    for (int which = 0; which < graphs_networks(problem); which++) {
        const struct graphs_network network = graphs_network(problem, which);
        double parameters = (double)graphs_parameters(&network), runs = network.runs;
        double weights = (double)network.hidden * (network.in + 1.5 * network.out);
        work.bytes +=
            runs * sizeof(float) * (6 * parameters + (double)graphs_batch_floats(&network));
        work.flop += runs * 4 * network.batch * weights;
    }
    return work;
}

/* --- Bars and hints --------------------------------------------------------------------------- */

/* clang-format off */
static const struct judge_bar BARS[] = {
    {JUDGE_ALLOCATIONS, .at_most = 0, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids a run to allocate device memory",
     .look_at = "lesson10_create knows all sizes: what it makes serves every run"},
    {JUDGE_SYNCHRONISATIONS, .at_most = 0, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids a run to wait for the device",
     .look_at = "streams wait for each other by events, and the host for none of them"},
    {JUDGE_GRAPHS_MADE, .at_most = 0, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids a run to instantiate a graph",
     .look_at = "what changes from run to run is in device memory, so one graph serves all runs"},
    {JUDGE_OBJECTS_MADE, .at_most = 0, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids a run to make streams or events",
     .look_at = "lesson10_create is the place for them: an event can be recorded again and again"},
    {JUDGE_DIRECT_LAUNCHES, .at_most = 0, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids a run to launch kernels outside a graph",
     .look_at = "capture all five kernels in lesson10_create, and launch the graph in a run"},
    {JUDGE_LAUNCHES, .at_most = LESSON10_KERNELS, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids more than five kernels a run",
     .look_at = "training_launch() launches five, and nothing else has to be calculated"},
    {JUDGE_COPIES, .at_most = 1, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids a run to copy or set more than its batch",
     .look_at = "one copy brings x and y, which are one piece of memory, to where they are used"},
    {JUDGE_COPIES, .at_least = 1, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract says that a run copies its batch, and there were fewer copies than "
                "runs",
     .look_at = "each run brings its own batch into the device's memory, by one copy, and the "
                "kernels read it there"},
    {JUDGE_PAGEABLE_COPIES, .at_most = 0, .launchers = 1 << RUN, .every_case = true,
     .message = "the contract forbids a run to copy from memory that is not pinned",
     .look_at = "the caller's batch is pinned already: cudaMemcpyAsync can begin with it at once"},
};
/* clang-format on */

static const char *const HINTS[] = {
    "Draw two lines, one for what the host does in a run and one for what the device does. Where "
    "is the device idle, since the host has not asked for the next kernel yet? And what could the "
    "bus be doing while a step is calculated?",
    "What a run asks for is the same each time, but for the batch: so record the five kernels "
    "once, as a graph, and launch that. The batch comes on a stream of its own, into one of two "
    "places in turn, while the step before it is still using the other one. Two kinds of events "
    "keep the order: a batch has arrived, and a place is free again.",
    "lesson10_create: room for two batches, one stream, four events without timing; and for either "
    "place, cudaStreamBeginCapture on that stream (relaxed), training_launch(), "
    "cudaStreamEndCapture, cudaGraphInstantiate. lesson10_run, for place i = runs % 2: the copy "
    "stream waits for used[i], copies, records arrived[i]; the given stream waits for arrived[i], "
    "launches graph i, records used[i].",
};

static const struct judge GRAPHS = {
    .lesson = "10_graphs",
    .title = "graphs and streams",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake memory_each_run",
    .clauses = &GRAPHS_CLAUSES,
    .context = GRAPHS_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .in_order = true,
    .by_time_line = true,
    .copies_ahead = true,
    .prepares_apart = true,
    .drawn = graphs_draw,
    .redrawn = graphs_redraw,
    .timed = timed,
    .buffers = buffers,
    .fill = graphs_fill,
    .truth = graphs_truth,
    .work = work,
    .launch = graphs_launch,
    .scratch_bytes = GRAPHS_SCRATCH_BYTES,
    .workspace_bytes = GRAPHS_WORKSPACE_BYTES,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.85,
    .modelled_bar = 0.85,
    .ceiling = "copy rate",
    .hints = HINTS,
    .mistakes = &GRAPHS_MISTAKES,
};
JUDGE(GRAPHS);
