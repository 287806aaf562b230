/* truth.c - lesson 5: the inputs, and which of them are kept by words drawn on the CPU. */
#include "judges/05_dropout/parts.h"
#include "check/judge_philox.h"
#include "judges/05_dropout/problem.h"

#include <float.h>
#include <math.h>

/* The step of each run: three in a row for a graph; and two ahead, then back and on, otherwise. */
static uint64_t step_of_run(const struct judge_case *problem, int run)
{
    static const uint64_t OUT_OF_ORDER[RUNS] = {2, 0, 1};
    uint64_t ahead = problem->script == GONE_BACK ? OUT_OF_ORDER[run] : (uint64_t)run;
    return (uint64_t)problem->size[STEP] + ahead;
}

/* Uniform in [-1, 1], from a drawn word. Where the case says so, zeros come first; or one
 * in eight is special, and so are the last of all, so that each special is kept and dropped for any
 * seed; or one in 64, where there are many. The last three, which may be less than a quad and have
 * code of their own, are then NaN and the infinities, in an order that the seed draws. */
static float drawn(const struct judge_case *problem, uint64_t seed, uint64_t i, uint64_t count)
{
    enum { SPECIAL_COUNT = 8, LAST = 3, ALL_SPECIAL = 8 * SPECIAL_COUNT };
    static const float SPECIALS[SPECIAL_COUNT] = {NAN,        INFINITY,  -INFINITY,       -0.0f,
                                                  -0x1p-130f, 0x1p-149f, 0x1.fffffep127f, 0.0f};
    if (problem->data == JUDGE_DATA_ZEROS_IN_FIRST && i < JUDGE_ZEROS)
        return i < JUDGE_ZEROS / 2 ? -0.0f : 0.0f;
    uint64_t word = judge_word(seed, i);
    uint64_t left = count - i;
    bool has_all = problem->data == JUDGE_DATA_SPECIALS;
    bool has_any = has_all || problem->data == JUDGE_DATA_SPARSE_SPECIALS;
    if (has_any && left <= LAST)
        return SPECIALS[(seed % LAST + i) % LAST];
    if (has_all && left <= ALL_SPECIAL)
        return SPECIALS[i % SPECIAL_COUNT];
    if (has_any && word % (has_all ? 8 : 64) == 0)
        return SPECIALS[word / 64 % SPECIAL_COUNT];
    return judge_uniform(word);
}

void dropout_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                  uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++)
        if (buffer == STEPS)
            ((uint64_t *)input)[i] = step_of_run(problem, (int)i);
        else
            ((float *)input)[i] = drawn(problem, seed, i, count);
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
void dropout_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
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

void dropout_truth(const struct judge_case *problem, struct judge_host *buffers)
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
