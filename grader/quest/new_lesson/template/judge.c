/* Lesson @NUMBER@: out = factor x.
 *
 * Say here what the lesson is about, and why its bars are where they are. */
#include "check/judge_seen.h"
#include "check/verdict.h"
#include "contracts/@KEY@.h"

#include <math.h>
#include <stdio.h>

enum { N };               /* judge_case.size */
enum { FACTOR };          /* judge_case.real */
enum { X, OUT, BUFFERS }; /* buffers */

/* --- Clauses: all words of the contract ------------------------------------------------------- */

enum clause { FORMULA, POINTERS, SIZE, EMPTY, STREAM, ONE_LAUNCH, RETURNS };

static const struct judge_clause CLAUSES[] = {
    [FORMULA] = {"formula", "out[i] = factor * x[i] for i in [0, n)"},
    [POINTERS] = {"pointers", "x, out device pointers to n floats each, 4-byte aligned;"},
    [SIZE] = {"size", "n 0 or more."},
    [EMPTY] = {"empty", "n = 0 does nothing and succeeds."},
    [STREAM] = {"stream", "stream the work goes there and is not waited for.",
                .counters = JUDGE_ASKS(JUDGE_SYNCHRONISATIONS),
                .always = "every launch: on no stream but that one"},
    [ONE_LAUNCH] = {"one_launch", "One kernel launch; nothing is allocated.",
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES) | JUDGE_ASKS(JUDGE_ALLOCATIONS) |
                                JUDGE_ASKS(JUDGE_COPIES)},
    [RETURNS] = {"returns", "Returns cudaSuccess, or the error of the launch.",
                 .always = "every case: what the launcher returns is looked at"},
};

static const char *const CONTEXT[] = {
    "@KEY@.h - contract of lesson @NUMBER@: an array, scaled.",
    "they do not overlap.",
    NULL,
};

/* --- Cases ------------------------------------------------------------------------------------ */

#define CASE(text, n, clause, ...)                                                               \
    {                                                                                            \
        .name = text, .size = {[N] = (n)}, .real = {[FACTOR] = 1.5}, .asks = JUDGE_ASKS(clause), \
        __VA_ARGS__                                                                              \
    }

static const struct judge_case CASES[] = {
    CASE("n = 0", 0, EMPTY),
    CASE("n = 1", 1, SIZE),
    CASE("n = 32", 32, FORMULA),
    CASE("n = 1023", 1023, SIZE),
    CASE("n = 1023, both one element off", 1023, POINTERS, .offset_bytes = {[X] = 4, [OUT] = 4}),
    CASE("n = 100003", 100003, SIZE),
};

/* Who is right for the sizes of the list alone is not right. */
static size_t draw_cases(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { DRAWN = 3 };
    size_t count = 0;
    for (; count < DRAWN && count < room; count++) {
        cases[count] = (struct judge_case){.size = {[N] = judge_draw_size(&seed, 2, 100000)},
                                           .real = {[FACTOR] = judge_draw_float(&seed)}};
        judge_draw_pointers(&seed, BUFFERS, false, &cases[count]);
        snprintf(cases[count].name, sizeof cases[count].name, "n = %lld, factor = %.3g, drawn",
                 (long long)cases[count].size[N], cases[count].real[FACTOR]);
    }
    return count;
}

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t n = (uint64_t)problem->size[N];
    list[X] = (struct judge_buffer){.name = "x", .role = JUDGE_IN, .count = n};
    list[OUT] = (struct judge_buffer){.name = "out", .role = JUDGE_OUT, .count = n};
    return BUFFERS;
}

static void truth(const struct judge_case *problem, struct judge_host *host)
{
    const float *x = host[X].input;
    for (uint64_t i = 0; i < host[OUT].count; i++) {
        double product = problem->real[FACTOR] * x[i]; /* exact in double */
        host[OUT].expected[i] = product;
        host[OUT].allowed[i] = judge_elementwise_allowed(product, fabs(product));
    }
}

static struct judge_work work(const struct judge_case *problem)
{
    double n = (double)problem->size[N];
    return (struct judge_work){.bytes = 8 * n, .flop = n};
}

/* The largest power of two that fits a sixteenth of the memory, at most 2^26; on the simulated
 * device as much as is interpreted in a tenth of a second. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    int64_t n = device->simulated ? 1 << 22 : 1 << 26;
    while (!device->simulated && (uint64_t)(8 * n) > device->memory_bytes / 16)
        n /= 2;
    if (room == 0)
        return 0;
    cases[0] = (struct judge_case){.size = {[N] = n}, .real = {[FACTOR] = 1.5}};
    snprintf(cases[0].name, sizeof cases[0].name, "n = %lld", (long long)n);
    return 1;
}

/* Runs in the runner. */
static cudaError_t launch(const struct judge_call *call)
{
    cudaError_t (*scale)(const float *, float *, int64_t, float, cudaStream_t) = NULL;
    *(void **)&scale = call->symbols[0];
    return scale(call->buffers[X], call->buffers[OUT], call->problem->size[N],
                 (float)call->problem->real[FACTOR], call->stream);
}

/* --- Bars, hints, mistakes -------------------------------------------------------------------- */

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "one kernel can do all n elements"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read neighbouring addresses in the same instruction"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should write neighbouring addresses in the same instruction"},
    JUDGE_BARS_OF_HOST(true),
};

static const char *const LAUNCHERS[] = {"lesson@NUMBER@_@SLUG@", NULL};

static const char *const HINTS[] = {
    "The symptom: which figure of the report to look at, and what it says.",
    "The mechanism: why the hardware does what the figure shows.",
    "The shape of the answer, without its code.",
};

static bool chunk_per_thread(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_SLOW && e->refused == JUDGE_LOAD_EFFICIENCY &&
           fabs(e->line.load_apart) >= 32;
}

static bool last_block_missing(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_WRONG && e->wrong_is_unwritten && e->wrong_is_tail;
}

/* Named after the entry of the corpus that shows it; the first one that is seen counts. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_RIGHT_FOR_THE_LIST,
    {"chunk_per_thread", chunk_per_thread,
     "Neighbouring lanes read a sector or more apart: let lane t take element t."},
    {"last_block_missing", last_block_missing,
     "The elements from there on were never written: round the number of blocks up."},
};

static const struct judge LESSON = {
    .lesson = "@KEY@",
    .title = "@SLUG@",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake chunk_per_thread",
    .clauses = &(const struct judge_clauses)JUDGE_ROWS(CLAUSES),
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = draw_cases,
    .timed = timed,
    .buffers = buffers,
    .truth = truth,
    .work = work,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.7, /* `make calibration` says, on a GPU, where it belongs */
    .ceiling = "copy rate",
    .hints = HINTS,
    .mistakes = &(const struct judge_mistakes)JUDGE_ROWS(MISTAKES),
};
JUDGE(LESSON);
