/* judge.c - lesson 5: dropout whose random words are a function of seed, layer, step and element.
 *
 * A mask is right or it is not: every element is compared, and which ones are zero must be so to
 * the last bit. The properties that a stateless generator buys are cases, too: the same mask in
 * the backward pass, in a graph that was captured once and replayed with the step counted up on
 * the device, and at a step that is gone back to. Two cases put the threshold right beside the
 * word of one element, where a comparison of floats goes the other way.
 *
 * The contract is common/contracts/05_dropout.h; read grader/check/judge.h for the fields.
 * Next: problem.h, cases.h, drawn.h, regimes.h, philox.h, launch.h (what the runner does) and
 * mistakes.h.
 */
#include "judges/05_dropout/cases.h"
#include "judges/05_dropout/drawn.h"
#include "judges/05_dropout/launch.h"
#include "judges/05_dropout/mistakes.h"
#include "judges/05_dropout/philox.h"
#include "judges/05_dropout/regimes.h"

#include <float.h>

static const char *const LAUNCHERS[] = {"lesson5_dropout_fwd", "lesson5_dropout_bwd", NULL};

static size_t buffers(const struct judge_case *problem, struct judge_buffer *buffers)
{
    uint64_t n = (uint64_t)problem->size[N];
    bool runs = problem->script != ONE_CALL;
    buffers[X] = (struct judge_buffer){.name = "x", JUDGE_IN, JUDGE_F32, n};
    buffers[Y] = (struct judge_buffer){.name = "y", JUDGE_OUT, JUDGE_F32, n};
    buffers[STEPS] = (struct judge_buffer){.name = "step", JUDGE_IN, JUDGE_U64, runs ? RUNS : 1};
    if (!runs)
        return STEPS + 1;
    buffers[NOW] = (struct judge_buffer){.name = "step, moved on", JUDGE_OUT, JUDGE_U64, 1};
    for (int run = 0; run < RUNS; run++)
        buffers[RUN + run] = (struct judge_buffer){.name = run == 0   ? "y of the first step"
                                                           : run == 1 ? "y of the second step"
                                                                      : "y of the third step",
                                                   JUDGE_OUT,
                                                   JUDGE_F32,
                                                   n};
    return RUN + RUNS;
}

/* Uniform in [-1, 1], from a word of splitmix64. Where the case says so, zeros come first; or one
 * in eight is special, and so are all from ALL_SPECIAL on, so that each special is kept and dropped
 * for any seed; or one in 64, where there are many. */
static float drawn(const struct judge_case *problem, uint64_t seed, uint64_t i)
{
    enum { SPECIAL_COUNT = 8, ALL_SPECIAL = 1023 - 8 * SPECIAL_COUNT };
    static const float SPECIALS[SPECIAL_COUNT] = {NAN,        INFINITY,  -INFINITY,       -0.0f,
                                                  -0x1p-130f, 0x1p-149f, 0x1.fffffep127f, 0.0f};
    if (problem->data == JUDGE_DATA_ZEROS_IN_FIRST && i < JUDGE_ZEROS)
        return i < JUDGE_ZEROS / 2 ? -0.0f : 0.0f;
    uint64_t word = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    word ^= word >> 31;
    if (problem->data == JUDGE_DATA_SPECIALS && i >= ALL_SPECIAL)
        return SPECIALS[i % SPECIAL_COUNT];
    if (problem->data == JUDGE_DATA_SPECIALS && word % 8 == 0)
        return SPECIALS[word / 8 % SPECIAL_COUNT];
    if (problem->data == JUDGE_DATA_SPARSE_SPECIALS && word % 64 == 0)
        return SPECIALS[word / 64 % SPECIAL_COUNT];
    return (float)((int32_t)(word >> 40) - (1 << 23)) * 0x1p-23f;
}

static void fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                 uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++)
        if (buffer == STEPS)
            ((uint64_t *)input)[i] = step_of_run(problem, (int)i);
        else
            ((float *)input)[i] = drawn(problem, seed, i);
}

/* --- Truth ------------------------------------------------------------------------------------ */

static uint32_t word_of(const struct judge_case *problem, uint64_t step, uint64_t i)
{
    uint64_t quad = i / PHILOX_WORDS;
    uint32_t word[PHILOX_WORDS] = {(uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step,
                                   (uint32_t)(step >> 32)};
    const uint32_t key[PHILOX_KEYS] = {(uint32_t)problem->size[SEED],
                                       (uint32_t)problem->size[LAYER]};
    philox4x32_10(word, key);
    return word[i % PHILOX_WORDS];
}

static double kept_allowed(double y)
{
    double relative = 12 * JUDGE_U32_ROUNDOFF * fabs(y);
    return fabs(y) < FLT_MIN ? fmax(relative, JUDGE_SMALLEST_FLOAT) : relative;
}

/* Dropped: +0, bit for bit. Kept: what the contract allows, 12 units; x times the float 1 / (1 - p)
 * is taken for the truth, x / (1 - p) is off by 3 at most, and FP16 by 600 times as much as is
 * allowed. With p = 0, and of zeros, there is nothing to round. */
static void truth_of_step(const struct judge_case *problem, uint64_t step, uint64_t first,
                          uint64_t count, const float *x, double *expected, double *allowed)
{
    float p = (float)problem->real[P];
    uint64_t threshold = (uint64_t)((double)p * 0x1p32);
    float scale = 1.0f / (1.0f - p);
    for (uint64_t i = 0; i < count; i++) {
        bool kept = word_of(problem, step, first + i) >= threshold;
        expected[i] = kept ? x[i] * scale : 0;
        bool rounds = kept && p > 0 && isfinite(expected[i]) && expected[i] != 0;
        allowed[i] = rounds ? kept_allowed(expected[i]) : JUDGE_WITH_SIGN;
    }
}

static void truth_of_output(const struct judge_case *problem, uint64_t step, const float *x,
                            struct judge_host *y)
{
    truth_of_step(problem, step, 0, y->count, x, y->expected, y->allowed);
}

/* Of one plain call. */
static void truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    enum { AT_A_TIME = 256 };
    float x[AT_A_TIME];
    (void)output;
    for (uint64_t done = 0; done < count; done += AT_A_TIME) {
        uint64_t part = count - done < AT_A_TIME ? count - done : AT_A_TIME;
        judge_input(inputs, X, first + done, part, x);
        truth_of_step(problem, step_of_run(problem, 0), first + done, part, x, expected + done,
                      allowed + done);
    }
}

static void truth(const struct judge_case *problem, struct judge_host *buffers)
{
    const float *x = buffers[X].input;
    int runs = problem->script == ONE_CALL ? 1 : RUNS;
    truth_of_output(problem, step_of_run(problem, runs - 1), x, &buffers[Y]);
    if (runs == 1)
        return;
    buffers[NOW].expected[0] = (double)step_of_run(problem, runs - 1);
    for (int run = 0; run < runs; run++)
        truth_of_output(problem, step_of_run(problem, run), x, &buffers[RUN + run]);
}

static struct judge_work work(const struct judge_case *problem)
{
    return (struct judge_work){.bytes = 8.0 * (double)problem->size[N]};
}

/* --- Bars and hints --------------------------------------------------------------------------- */

/* The step is 8 bytes that each warp asks for: a hundredth of what it moves at four elements a
 * thread, 3 % at one. A byte of mask an element would be 12 %. A call of Philox for every two
 * elements is 2.0 times the solution's instructions, one for each 3.8; exchanging the words of a
 * warp's calls between its lanes takes 1.3. */
static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "one kernel, launched once, can draw the words where it uses them"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "what neighbouring lanes load at a time should lie side by side: of four elements "
                "a thread, one float4 each"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "what neighbouring lanes store at a time should lie side by side: of four elements "
                "a thread, one float4 each"},
    {JUDGE_WARP_INSTRUCTIONS, .at_most = 1.70,
     .message = "the warps execute more instructions than the problem needs",
     .look_at = "one call of Philox gives four words: are all of them used?"},
    {JUDGE_BYTES_RATIO, .at_most = 1.07, .message = "more bytes move than the problem has",
     .look_at = "x is read once, y is written once; a word that can be computed need not be kept"},
    JUDGE_BARS_OF_HOST(false),
};

static const char *const HINTS[] = {
    "Count what moves: 8 bytes an element are needed, one read and one written. What else goes "
    "through memory, and who will ever read it again?",
    "A counter-based generator has no state to set up, store or load: its words are a function of "
    "(seed, layer, step, element), so the thread that needs a word can compute it, in the forward "
    "and again in the backward pass. Only the step changes between replays of a graph: it must be "
    "read through the pointer, in the kernel.",
    "Thread t: float4 of elements 4t to 4t + 3 (where both pointers are multiples of 16 bytes and "
    "4t + 4 <= n), counter {lo(t), hi(t), lo(*d_step), hi(*d_step)}, key {seed, layer}, one call "
    "of philox, word k for element 4t + k, keep if word >= threshold.",
};

static bool moves_once(const struct judge_evidence *e)
{
    return e->counter[JUDGE_BYTES_RATIO] <= 1.07;
}

static bool takes_quads(const struct judge_evidence *e)
{
    return e->kernel.load_width > 12 && e->kernel.store_width > 12 &&
           e->counter[JUDGE_WARP_INSTRUCTIONS] <= 1.7;
}

static const struct judge_asked ASKED[] = {
    {2, "A counter-based generator", 0, moves_once},
    {3, "Thread t:", 0, takes_quads},
};

static const struct judge DROPOUT_JUDGE = {
    .lesson = "05_dropout",
    .title = "stateless dropout",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake words_in_memory",
    .clauses = CLAUSES,
    .clause_count = sizeof CLAUSES / sizeof *CLAUSES,
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = draw_cases,
    .drawn_large = draw_large,
    .redrawn = redraw,
    .nearby = nearby,
    .regimes = REGIMES,
    .regime_count = sizeof REGIMES / sizeof *REGIMES,
    .timed = timed,
    .buffers = buffers,
    .fill = fill,
    .uniform_when_timed = true,
    .truth = truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = truth_at,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.80,
    .gold_bar = 0.92,
    .ceiling = "copy rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = MISTAKES,
    .mistake_count = sizeof MISTAKES / sizeof *MISTAKES,
};
JUDGE(DROPOUT_JUDGE);
