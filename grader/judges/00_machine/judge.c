/* judge.c - lesson 0: what this machine can do, by three probes that pass as they are shipped.
 *
 * The timed cases are measurements: a copy, of sizes from well inside the caches to far beyond
 * them; a chain of multiply-adds; and a kernel that does nothing. From the solution's times the
 * grader takes the ceilings that later lessons are held to (grader/check/ceilings.h).
 */
#include "check/judge_graph.h"
#include "check/judge_seen.h"
#include "contracts/00_machine.h"

#include <math.h>
#include <stdio.h>

enum launcher { COPY, FMA, EMPTY };
static const char *const LAUNCHERS[] = {"lesson0_copy", "lesson0_fma", "lesson0_empty", NULL};

enum { N, STEPS }; /* judge_case.size */
enum { IN, OUT };  /* buffers; the empty kernel has none */

/* --- Clauses ---------------------------------------------------------------------------------- */

enum clause { STREAM, NO_ALLOCATION, RETURNS, NOTHING, COPIED, ALIGNMENT, CHAINED, ONE_THREAD };

static const struct judge_clause CLAUSES[] = {
    [STREAM] = {"stream", "work goes to stream and is not waited for;",
                .counters = JUDGE_ASKS(JUDGE_SYNCHRONISATIONS),
                .always = "every launch: on no stream but that one"},
    [NO_ALLOCATION] = {"no_allocation", "nothing is allocated.",
                       .counters = JUDGE_ASKS(JUDGE_ALLOCATIONS)},
    [RETURNS] = {"returns", "They return cudaSuccess or the error of the launch."},
    [NOTHING] = {"nothing", "A size of 0 is allowed and launches nothing."},
    [COPIED] = {"copied", "out[i] = in[i] for n floats:"},
    [ALIGNMENT] = {"alignment", "The arrays do not overlap; either may lie at any multiple of 4 "
                                "bytes."},
    [CHAINED] = {"chained", "out[i] = in[i] after steps times v = LESSON0_FACTOR * v + "
                            "LESSON0_ADDEND, each step one fused multiply-add (rounded once):"},
    [ONE_THREAD] = {"one_thread", "One kernel of one thread that does nothing:",
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},
};

static const char *const CONTEXT[] = {
    "00_machine.h - contract of lesson 0: three probes that show what this machine can do.",
    "All launchers: device pointers;",
    "as many bytes a second as the memory gives.",
    "as many operations a second as the arithmetic units give.",
    "what a launch costs by itself.",
    NULL,
};

/* --- Cases ------------------------------------------------------------------------------------ */

#define ASK(clause) .asks = JUDGE_ASKS(clause)
#define FAILS .refused_with = JUDGE_LAUNCH_FAILS, ASK(RETURNS)
#define COPY_N(n, ...)                                                            \
    {                                                                             \
        .name = "copy, n = " #n, .launcher = COPY, .size = {[N] = n}, __VA_ARGS__ \
    }
#define FMA_N(n, steps, ...)                                          \
    {                                                                 \
        .name = "fma, n = " #n ", " #steps " steps", .launcher = FMA, \
        .size = {[N] = n, [STEPS] = steps}, __VA_ARGS__               \
    }

/* clang-format off */
static const struct judge_case CASES[] = {
    COPY_N(0, .launches_nothing = 1, ASK(NOTHING)),
    COPY_N(1, ASK(COPIED)),
    COPY_N(1023, ASK(COPIED)),
    COPY_N(4097, ASK(COPIED)),
    {.name = "copy, n = 1023, in one element off", .launcher = COPY, .size = {[N] = 1023},
     .offset_bytes = {[IN] = sizeof(float)}, ASK(ALIGNMENT)},
    {.name = "copy, n = 1023, out one element off", .launcher = COPY, .size = {[N] = 1023},
     .offset_bytes = {[OUT] = sizeof(float)}, ASK(ALIGNMENT)},
    {.name = "copy, n = 1023, NaN and infinities", .launcher = COPY, .size = {[N] = 1023},
     .data = JUDGE_DATA_SPECIALS, ASK(COPIED)},
    FMA_N(0, 5, .launches_nothing = 1, ASK(NOTHING)),
    FMA_N(1, 0, ASK(CHAINED)),
    FMA_N(33, 1, ASK(CHAINED)),
    FMA_N(1025, 100, ASK(CHAINED)),
    {.name = "an empty kernel", .launcher = EMPTY},
    {.name = "copy, n = 33, and the launch fails", .launcher = COPY, .size = {[N] = 33}, FAILS},
    {.name = "fma, n = 33, and the launch fails", .launcher = FMA,
     .size = {[N] = 33, [STEPS] = 1}, FAILS},
    {.name = "an empty kernel whose launch fails", .launcher = EMPTY, FAILS},
};
/* clang-format on */

static struct judge_case copy_case(uint64_t bytes)
{
    struct judge_case made = {.launcher = COPY, .size = {[N] = (int64_t)(bytes / 8)}};
    double mib = (double)bytes / (1 << 20);
    snprintf(made.name, sizeof made.name, mib < 1 ? "copy, %.2f MiB" : "copy, %.0f MiB", mib);
    return made;
}

static struct judge_case fma_case(int64_t n, int64_t steps)
{
    struct judge_case made = {.launcher = FMA, .size = {[N] = n, [STEPS] = steps}};
    snprintf(made.name, sizeof made.name, "FMA, %lld x %lld", (long long)n, (long long)steps);
    return made;
}

/* First the copy that no cache can hold, then smaller ones for the curve; multiply-adds; a launch.
 * The multiply-adds have so many blocks that the last ones of a multiprocessor take next to none of
 * its time, and so many steps that loading and storing do, too: no kernel should exceed this rate.
 * The simulated device's own cases are small, since every block of them runs; a longer chain, which
 * is only timed, comes closer to the peak. They are for submissions that cannot be sampled. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    enum { STEP = 8, OTHERS = 3 };
    const uint64_t smallest = UINT64_C(1) << 18;
    uint64_t largest = device->simulated ? UINT64_C(64) << 20 : UINT64_C(1) << 30;
    while (largest > device->memory_bytes / 8)
        largest /= 2;
    size_t count = 0;
    for (uint64_t bytes = largest; bytes >= smallest && count + OTHERS < room; bytes /= STEP)
        cases[count++] = copy_case(bytes);
    if (count + OTHERS > room)
        return count;
    cases[count++] = device->simulated ? fma_case(1 << 18, 128) : fma_case(1 << 24, 2048);
    if (device->simulated)
        cases[count++] = fma_case(1 << 20, 512);
    cases[count++] = (struct judge_case){.name = "an empty kernel", .launcher = EMPTY};
    return count;
}

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t n = (uint64_t)problem->size[N];
    if (problem->launcher == EMPTY)
        return 0;
    list[IN] = (struct judge_buffer){.name = "in", .role = JUDGE_IN, .count = n};
    list[OUT] = (struct judge_buffer){.name = "out", .role = JUDGE_OUT, .count = n};
    return 2;
}

/* Every step is rounded once, on the host as on the device, so results agree bit for bit. */
static void truth_of(const struct judge_case *problem, const float *in, uint64_t count,
                     double *expected)
{
    int64_t steps = problem->launcher == FMA ? problem->size[STEPS] : 0;
    for (uint64_t i = 0; i < count; i++) {
        float v = in[i];
        for (int64_t step = 0; step < steps; step++)
            v = fmaf(v, LESSON0_FACTOR, LESSON0_ADDEND);
        expected[i] = v;
    }
}

static void truth(const struct judge_case *problem, struct judge_host *host)
{
    if (problem->launcher != EMPTY)
        truth_of(problem, host[IN].input, host[OUT].count, host[OUT].expected);
}

static void truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    enum { AT_A_TIME = 256 };
    float in[AT_A_TIME];
    (void)output, (void)allowed;
    for (uint64_t done = 0; done < count; done += AT_A_TIME) {
        uint64_t part = count - done < AT_A_TIME ? count - done : AT_A_TIME;
        judge_input(inputs, IN, first + done, part, in);
        truth_of(problem, in, part, expected + done);
    }
}

static struct judge_work work(const struct judge_case *problem)
{
    double n = (double)problem->size[N];
    if (problem->launcher == EMPTY)
        return (struct judge_work){.bytes = 0};
    return (struct judge_work){
        .bytes = 8 * n,
        .flop = problem->launcher == FMA ? 2 * n * (double)problem->size[STEPS] : 0};
}

static cudaError_t call_once(const struct judge_call *call)
{
    typedef cudaError_t copy(const float *, float *, int64_t, cudaStream_t);
    typedef cudaError_t fma(const float *, float *, int64_t, int32_t, cudaStream_t);
    typedef cudaError_t empty(cudaStream_t);
    const int64_t *size = call->problem->size;
    void *symbol = call->symbols[call->problem->launcher];
    switch ((enum launcher)call->problem->launcher) {
    case COPY:
        return ((copy *)symbol)(call->buffers[IN], call->buffers[OUT], size[N], call->stream);
    case FMA:
        return ((fma *)symbol)(call->buffers[IN], call->buffers[OUT], size[N], (int32_t)size[STEPS],
                               call->stream);
    case EMPTY: break;
    }
    return ((empty *)symbol)(call->stream);
}

static cudaError_t launch(const struct judge_call *call)
{
    bool fails = call->problem->refused_with == JUDGE_LAUNCH_FAILS;
    return fails ? judge_without_launch(call, call_once) : call_once(call);
}

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .message = "a probe launches more than one kernel",
     .look_at = "each probe measures one launch"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read neighbouring addresses (lesson 1)"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should write neighbouring addresses (lesson 1)"},
    JUDGE_BARS_OF_HOST(true),
};

static const struct judge_mistake MISTAKES[] = {JUDGE_ERROR_IGNORED};

static const char *const HINTS[] = {
    "This lesson passes as it is shipped. If yours does not, `make diff-lesson0` shows what "
    "differs, and `make reset-lesson0` brings the file back.",
    "The copy should reach what the memory gives, the multiply-adds what the arithmetic units "
    "give. Which of your changes made a probe do more than that one thing?",
    "Copy: neighbouring threads, neighbouring addresses, four floats at a time. Multiply-adds: "
    "several independent chains in each thread, so that no cycle waits for a result.",
};

static const struct judge MACHINE = {
    .lesson = "00_machine",
    .title = "know your machine",
    .launchers = LAUNCHERS,
    .passes_as_shipped = true,
    .clauses = &(const struct judge_clauses)JUDGE_ROWS(CLAUSES),
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .timed = timed,
    .buffers = buffers,
    .truth = truth,
    .work = work,
    .truth_at = truth_at,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.85,
    .ceiling = "copy rate",
    .hints = HINTS,
    .mistakes = &(const struct judge_mistakes)JUDGE_ROWS(MISTAKES),
};
JUDGE(MACHINE);
