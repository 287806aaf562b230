/* judge.c - lesson 5: dropout whose random words are a function of seed, layer, step and element.
 *
 * A mask is right or it is not: every element is compared, and which ones are zero must be so to
 * the last bit. The properties that a stateless generator buys are cases, too: the same mask in
 * the backward pass, in a graph that was captured once and replayed with the step counted up on
 * the device, and at a step that is gone back to. Two cases put the threshold right beside the
 * word of one element, where a comparison of floats goes the other way.
 *
 * The contract is common/contracts/05_dropout.h; read grader/check/judge.h for the fields.
 * Next: problem.h, philox.h and mistakes.h.
 */
#include "judges/05_dropout/clauses.h"
#include "judges/05_dropout/mistakes.h"
#include "judges/05_dropout/philox.h"

#include <float.h>
#include <stdio.h>

static const char *const LAUNCHERS[] = {"lesson5_dropout_fwd", "lesson5_dropout_bwd", NULL};

enum { RUNS = 3 };
enum { X, Y, STEPS, NOW, RUN };               /* buffers; the last two only of scripts with RUNS */
enum { ONE_FLOAT = sizeof(float), IN_PLACE = 1 + X };

#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
#define ASKS3(a, b, c) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b) | JUDGE_ASKS(c)

#define KEYED_DROPOUT(text, n, p, step, seed, layer, ...)                                      \
    {.name = text, .size = {[N] = n, [STEP] = step, [SEED] = seed, [LAYER] = layer},           \
     .real = {[P] = p}, __VA_ARGS__}
#define DROPOUT(text, n, p, step, layer, ...)                                                  \
    KEYED_DROPOUT(text, n, p, step, 2026, layer, __VA_ARGS__)
#define REFUSED(text, n, p, clause, ...)                                                       \
    DROPOUT(text, n, p, 0, 0, .refused_with = cudaErrorInvalidValue,                           \
            .asks = JUDGE_ASKS(clause), __VA_ARGS__)
#define FAILS(text, p, ...)                                                                    \
    DROPOUT(text, 1001, p, 0, 0, .refused_with = JUDGE_LAUNCH_FAILS,                           \
            .asks = JUDGE_ASKS(LAUNCH_ERRORS), __VA_ARGS__)
/* Both pointers so many elements past a multiple of 16 bytes, as in any slice of a tensor that is
 * worked on in place: a body of whole quads may begin there, and counts its words from 0. */
#define ALIKE(text, n, elements, ...)                                                          \
    DROPOUT(text, n, 0.1f, 5, 2,                                                               \
            .offset_bytes = {[X] = (elements) * ONE_FLOAT, [Y] = (elements) * ONE_FLOAT},      \
            ASKS2(ALIGNMENT, WORD_OF_ELEMENT), __VA_ARGS__)
/* Its first bit is set, as that of an int64_t below 0. */
#define STEP_OF_TWO_WORDS ((int64_t)UINT64_C(0xFEDCBA9876543210))

/* Around one quad and one warp; every word of a counter and of the key alone; the ends of p. In
 * place, it is once on the road of single floats, and once on that of whole quads, where several
 * blocks work at the same time. What has to be refused comes last. */
static const struct judge_case CASES[] = {
    DROPOUT("n = 0", 0, 0.5, 0, 0, .launches_nothing = 1, ASKS2(NO_ELEMENTS, MANY_ELEMENTS)),
    DROPOUT("n = 1", 1, 0.5, 0, 0, ASKS3(FORWARD_IS, PHILOX, SCALE)),
    DROPOUT("n = 3", 3, 0.5, 0, 0, .asks = JUDGE_ASKS(WORD_OF_ELEMENT)),
    DROPOUT("n = 4", 4, 0.5, 0, 0, .asks = JUDGE_ASKS(WORD_OF_ELEMENT)),
    DROPOUT("n = 5", 5, 0.5, 0, 0, .asks = JUDGE_ASKS(COUNTER)),
    DROPOUT("n = 31", 31, 0.5, 0, 0, .asks = JUDGE_ASKS(COUNTER)),
    DROPOUT("n = 1023", 1023, 0.5, 0, 0, .asks = JUDGE_ASKS(COUNTER)),
    DROPOUT("n = 1023, step 1", 1023, 0.5, 1, 0, ASKS2(COUNTER, STEP_ON_DEVICE)),
    DROPOUT("n = 1023, layer 1", 1023, 0.5, 0, 1, .asks = JUDGE_ASKS(KEY)),
    DROPOUT("n = 1023, p = 0: nothing changes", 1023, 0, 5, 2, ASKS2(P_AT_ITS_ENDS, P_IS)),
    DROPOUT("n = 1023, p = 1: zeros", 1023, 1, 5, 2, ASKS2(P_AT_ITS_ENDS, P_IS)),
    KEYED_DROPOUT("n = 64, p = 0, word 1 is 0", 64, 0, STEP_WORD_1_IS_0, 0, 0,
                  ASKS2(P_AT_ITS_ENDS, THRESHOLD)),
    KEYED_DROPOUT("n = 64, p = 1, word 2 is 2^32 - 1", 64, 1, STEP_WORD_2_IS_MOST, 0, 0,
                  ASKS2(P_AT_ITS_ENDS, THRESHOLD)),
    DROPOUT("n = 1023, p = 0.999", 1023, 0.999f, 5, 2, .asks = JUDGE_ASKS(SCALE)),
    DROPOUT("n = 1001, x one element off", 1001, 0.1f, 5, 2, .offset_bytes = {[X] = ONE_FLOAT},
            .asks = JUDGE_ASKS(ALIGNMENT)),
    DROPOUT("n = 1000, y one element off", 1000, 0.1f, 5, 2, .offset_bytes = {[Y] = ONE_FLOAT},
            .asks = JUDGE_ASKS(ALIGNMENT)),
    DROPOUT("n = 1001, in place", 1001, 0.1f, 5, 2, .alias = IN_PLACE,
            .asks = JUDGE_ASKS(IN_PLACE_FORWARD)),
    ALIKE("n = 1001, x and y one element off", 1001, 1),
    ALIKE("n = 1002, x and y two elements off", 1002, 2),
    ALIKE("n = 1003, x and y three elements off", 1003, 3),
    ALIKE("n = 4101, in place, one element off", 4101, 1, .alias = IN_PLACE),
    ALIKE("n = 4102, in place, two elements off", 4102, 2, .alias = IN_PLACE),
    ALIKE("n = 4103, in place, three elements off", 4103, 3, .alias = IN_PLACE),
    DROPOUT("n = 1023, NaN and infinities", 1023, 0.5, 5, 2, .data = JUDGE_DATA_SPECIALS,
            .asks = JUDGE_ASKS(DROPPED)),
    DROPOUT("n = 64, word 13 is just below p", 64, P_ABOVE_WORD_13, 0, 0,
            .asks = JUDGE_ASKS(THRESHOLD)),
    DROPOUT("n = 64, word 51 is p", 64, P_OF_WORD_51, 0, 0, .asks = JUDGE_ASKS(THRESHOLD)),
    DROPOUT("n = 1023, step 2^32", 1023, 0.5, INT64_C(1) << 32, 0, .asks = JUDGE_ASKS(COUNTER)),
    DROPOUT("n = 1023, layer 1023", 1023, 0.5, 7, 1023, .asks = JUDGE_ASKS(KEY)),
    DROPOUT("n = 1023, backward", 1023, 0.1f, 5, 2, .launcher = BACKWARD,
            ASKS2(BACKWARD_IS, MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 1001, backward, in place", 1001, 0.1f, 6, 2, .launcher = BACKWARD,
            .alias = IN_PLACE, .asks = JUDGE_ASKS(IN_PLACE_BACKWARD)),
    ALIKE("n = 1001, backward, one element off", 1001, 1, .launcher = BACKWARD),
    ALIKE("n = 1002, backward, two elements off", 1002, 2, .launcher = BACKWARD),
    ALIKE("n = 1003, backward, three elements off", 1003, 3, .launcher = BACKWARD),
    ALIKE("n = 4101, backward, in place, one off", 4101, 1, .launcher = BACKWARD,
          .alias = IN_PLACE),
    ALIKE("n = 4102, backward, in place, two off", 4102, 2, .launcher = BACKWARD,
          .alias = IN_PLACE),
    ALIKE("n = 4103, backward, in place, three off", 4103, 3, .launcher = BACKWARD,
          .alias = IN_PLACE),
    DROPOUT("n = 4099, a graph replayed for 3 steps", 4099, 0.1f, 1000, 3, .script = REPLAYED,
            .calls = RUNS,
            ASKS3(CAPTURED, STEP_WHEN_IT_RUNS, MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 4099, the same graph, backward", 4099, 0.1f, 1000, 3, .script = REPLAYED,
            .calls = RUNS,
            .launcher = BACKWARD, ASKS3(CAPTURED, STEP_WHEN_IT_RUNS, MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 4099, back to an earlier step", 4099, 0.1f, 1000, 3, .script = GONE_BACK,
            .calls = RUNS,
            .asks = JUDGE_ASKS(MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 64, word 51 is p * 2^32 rounded down", 64, P_ABOVE_WORD_51, 0, 0,
            .asks = JUDGE_ASKS(THRESHOLD)),
    KEYED_DROPOUT("n = 1023, seed 0xFEDCBA98", 1023, 0.5, 7, 0xFEDCBA98, 5,
                  ASKS2(KEY, KEY_IS)),
    DROPOUT("n = 1023, layer 0x89ABCDEF", 1023, 0.5, 7, 0x89ABCDEF, ASKS2(KEY, KEY_IS)),
    DROPOUT("n = 1023, step 0xFEDCBA9876543210", 1023, 0.5, STEP_OF_TWO_WORDS, 5,
            ASKS2(COUNTER, STEP_ON_DEVICE)),
    DROPOUT("n = 1023, p = 0 of NaN and zeros", 1023, 0, 5, 2, .data = JUDGE_DATA_SPECIALS,
            .asks = JUDGE_ASKS(P_AT_ITS_ENDS)),
    DROPOUT("n = 1023, p = 1 of NaN and infinities", 1023, 1, 5, 2, .data = JUDGE_DATA_SPECIALS,
            ASKS2(P_AT_ITS_ENDS, DROPPED)),
    DROPOUT("n = 20003, zeros", 20003, 0.1f, 5, 2, .data = JUDGE_DATA_ZEROS_IN_FIRST,
            .asks = JUDGE_ASKS(SCALE)),
    DROPOUT("n = 1023, backward, NaN and infinities", 1023, 0.5, 5, 2, .launcher = BACKWARD,
            .data = JUDGE_DATA_SPECIALS, ASKS2(DROPPED, BACKWARD_IS)),
    DROPOUT("n = 16384, in place", 16384, 0.1f, 5, 2, .alias = IN_PLACE,
            .asks = JUDGE_ASKS(IN_PLACE_FORWARD)),
    DROPOUT("n = 16384, backward, in place", 16384, 0.1f, 6, 2, .launcher = BACKWARD,
            .alias = IN_PLACE, .asks = JUDGE_ASKS(IN_PLACE_BACKWARD)),
    DROPOUT("n = 100003", 100003, 0.1f, 12345, 9, ASKS2(FORWARD_IS, COUNTER)),
    DROPOUT("n = 0, backward", 0, 0.5, 0, 0, .launcher = BACKWARD, .launches_nothing = 1,
            .asks = JUDGE_ASKS(NO_ELEMENTS)),
    FAILS("n = 1001, and the launch fails", 0.5),
    FAILS("n = 1001, p = 0, and the launch fails", 0),
    FAILS("n = 1001, p = 1, and the launch fails", 1),
    FAILS("n = 1001, backward, and the launch fails", 0.5, .launcher = BACKWARD),
    REFUSED("n = -1", -1, 0.5, REFUSED_N),
    REFUSED("n = -2^63", INT64_MIN, 0.5, REFUSED_N),
    REFUSED("n = -1, backward", -1, 0.5, REFUSED_N, .launcher = BACKWARD),
    REFUSED("p is NaN", 64, NAN, REFUSED_P),
    REFUSED("p is NaN, backward", 64, NAN, REFUSED_P, .launcher = BACKWARD),
    REFUSED("p = 2", 64, 2, REFUSED_P),
    REFUSED("p = 2, backward", 64, 2, REFUSED_P, .launcher = BACKWARD),
    REFUSED("p = 1 + 2^-23", 64, 1 + 0x1p-23, REFUSED_P),
    REFUSED("p = -2^-149", 64, -0x1p-149, REFUSED_P),
    REFUSED("p = -1, backward", 64, -1, REFUSED_P, .launcher = BACKWARD),
};

/* Past the ends of an int and of an unsigned; and where the number of a quad needs the counter's
 * high word, in place, since two such arrays fit no device. */
static const struct judge_case LARGE[] = {
    DROPOUT("n = 3 * 2^31 + 4", 3 * (INT64_C(1) << 31) + 4, 0.1f, 5, 2,
            .asks = JUDGE_ASKS(MANY_ELEMENTS)),
    DROPOUT("n = 3 * 2^31 + 7, x one element off", 3 * (INT64_C(1) << 31) + 7, 0.1f, 5, 2,
            .offset_bytes = {[X] = ONE_FLOAT}, ASKS2(MANY_ELEMENTS, ALIGNMENT)),
    DROPOUT("n = 5 * 2^32 + 3, backward, in place", 5 * (INT64_C(1) << 32) + 3, 0.1f, 5, 2,
            .launcher = BACKWARD, .alias = IN_PLACE, ASKS2(MANY_ELEMENTS, COUNTER)),
    DROPOUT("n = 5 * 2^32, in place", 5 * (INT64_C(1) << 32), 0.1f, 5, 2, .alias = IN_PLACE,
            ASKS2(MANY_ELEMENTS, COUNTER)),
};

/* On the simulated device a little more than 2^21, a chunk of the exercise: who keeps the loop over
 * chunks launches twice there, and 32 times on a GPU. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case small = DROPOUT("n = 2100000, p = 0.1", 2100000, 0.1f, 12345, 9);
    const struct judge_case middle = DROPOUT("n = 2^24, p = 0.1", 1 << 24, 0.1f, 12345, 9);
    const struct judge_case large = DROPOUT("n = 2^26, p = 0.1", 1 << 26, 0.1f, 12345, 9);
    if (room == 0)
        return 0;
    /* Several times the L2, and no more than an eighth of the memory for both buffers. */
    bool fits = device->memory_bytes / 8 >= UINT64_C(8) << 26;
    cases[0] = device->simulated ? small : fits ? large : middle;
    return 1;
}

/* Any p, key and step, to the last bit. */
static struct judge_case keyed_drawn(bool is_backward, int64_t n, uint64_t *seed)
{
    enum { LEAST_OF_MANY = 1 << 12, LEAST = 1 << 19, ONE = 1 << 24 }; /* p times 2^24 */
    float p = (float)(n > JUDGE_MIDDLE_LEAST && judge_draw(seed, 0, 1)
                          ? judge_draw_size(seed, LEAST_OF_MANY, LEAST)
                          : judge_draw(seed, LEAST, ONE - LEAST)) * 0x1p-24f;
    struct judge_case problem = {.size = {[N] = n, [STEP] = judge_draw(seed, 0, INT64_MAX - 1),
                                          [SEED] = judge_draw(seed, 0, UINT32_MAX),
                                          [LAYER] = judge_draw(seed, 0, UINT32_MAX)},
                                 .real = {[P] = p},
                                 .launcher = is_backward ? BACKWARD : FORWARD};
    snprintf(problem.name, sizeof problem.name, "n = %lld, %sp = %.3g, drawn", (long long)n,
             is_backward ? "backward, " : "", p);
    return problem;
}

/* Not small: special values, any pointers, and in place or not. */
static void draw_all_but_size(uint64_t *seed, bool alike, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    judge_draw_pointers(seed, 2, alike, problem);
    if (alike && judge_draw(seed, 0, 1))
        problem->alias = IN_PLACE;
}

/* Two small ones, forward and backward, and a middle one. */
static size_t draw_cases(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < 3 && count < room; count++) {
        bool is_middle = count == 2;
        bool is_backward = is_middle ? judge_draw(&seed, 0, 1) : count == 1;
        int64_t n = is_middle ? judge_draw(&seed, JUDGE_MIDDLE_LEAST, JUDGE_MIDDLE_MOST)
                              : judge_draw_size(&seed, 3, 6000);
        cases[count] = keyed_drawn(is_backward, n, &seed);
        cases[count].once = is_middle;
        if (is_middle)
            draw_all_but_size(&seed, judge_draw(&seed, 0, 1), &cases[count]);
        else
            judge_draw_pointers(&seed, 2, judge_draw(&seed, 0, 1), &cases[count]);
    }
    return count;
}

/* One between each power of two and the next up to 2^27, where most arrays are, and one past that;
 * both passes in turn, and pointers that are alike in every other pair. */
static size_t draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { FIRST_POWER = 22, LAST_POWER = 27 };
    int64_t turn = judge_draw(&seed, 0, 3);
    size_t count = 0;
    for (int64_t power = FIRST_POWER; power <= LAST_POWER && count < room; power++, turn++) {
        int64_t least = INT64_C(1) << power;
        int64_t most = power < LAST_POWER ? 2 * least : INT64_C(1) << 34;
        cases[count] = keyed_drawn(turn & 1, judge_draw_size(&seed, least, most), &seed);
        draw_all_but_size(&seed, turn >> 1 & 1, &cases[count]);
        count++;
    }
    return count;
}

/* Any key and step; p is off by less than its name tells. */
static void redraw(uint64_t seed, struct judge_case *problem)
{
    problem->size[STEP] = judge_draw(&seed, 0, INT64_MAX - 1);
    problem->size[SEED] = judge_draw(&seed, 0, UINT32_MAX);
    problem->size[LAYER] = judge_draw(&seed, 0, UINT32_MAX);
    double more = 0x1p-20 * (double)judge_draw(&seed, 0, 999);
    problem->real[P] = (float)(problem->real[P] * (1 + more));
}

static void nearby(uint64_t seed, struct judge_case *problem)
{
    problem->size[N] -= 4 * judge_draw(&seed, 1, problem->size[N] / 400);
}

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
        buffers[RUN + run] = (struct judge_buffer){
            .name = run == 0 ? "y of the first step"
                             : run == 1 ? "y of the second step" : "y of the third step",
            JUDGE_OUT, JUDGE_F32, n};
    return RUN + RUNS;
}

/* The step of each run: three in a row for a graph; and two ahead, then back and on, otherwise. */
static uint64_t step_of_run(const struct judge_case *problem, int run)
{
    static const uint64_t OUT_OF_ORDER[RUNS] = {2, 0, 1};
    uint64_t ahead = problem->script == GONE_BACK ? OUT_OF_ORDER[run] : (uint64_t)run;
    return (uint64_t)problem->size[STEP] + ahead;
}

/* Uniform in [-1, 1], from a word of splitmix64. Where the case says so, zeros come first; or one
 * in eight is special, and so are all from ALL_SPECIAL on, so that each special is kept and dropped
 * for any seed; or one in 64, where there are many. */
static float drawn(const struct judge_case *problem, uint64_t seed, uint64_t i)
{
    enum { SPECIAL_COUNT = 8, ALL_SPECIAL = 1023 - 8 * SPECIAL_COUNT };
    static const float SPECIALS[SPECIAL_COUNT] = {NAN,   INFINITY,  -INFINITY,       -0.0f,
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

/* --- Launch ----------------------------------------------------------------------------------- */

static cudaError_t call_once(const struct judge_call *call, const uint64_t *d_step)
{
    typedef cudaError_t dropout(const float *, float *, int64_t, float, struct quest_rng_key,
                                const uint64_t *, cudaStream_t);
    const struct judge_case *problem = call->problem;
    struct quest_rng_key key = {(uint32_t)problem->size[SEED], (uint32_t)problem->size[LAYER]};
    return ((dropout *)call->symbols[problem->launcher])(
        call->buffers[X], call->buffers[Y], problem->size[N], (float)problem->real[P], key, d_step,
        call->stream);
}

/* The step moves on, on the device: to that of the given run. */
static cudaError_t step_to(const struct judge_call *call, int run)
{
    const uint64_t *d_steps = call->buffers[STEPS];
    return cudaMemcpyAsync(call->buffers[NOW], d_steps + run, sizeof *d_steps,
                           cudaMemcpyDeviceToDevice, call->stream);
}

/* One call as a graph. Relaxed, so that a launcher that reads the step on the host, which a
 * capture cannot see, is not stopped here: it freezes the step, and its masks will tell. */
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

/* For each run: the step moves on; the call, or its graph; y is put aside. */
static cudaError_t all_runs(const struct judge_call *call, cudaGraphExec_t graph)
{
    size_t y_bytes = (size_t)call->problem->size[N] * sizeof(float);
    cudaError_t error = cudaSuccess;
    for (int run = 0; run < RUNS && error == cudaSuccess; run++) {
        error = step_to(call, run);
        if (error == cudaSuccess)
            error = graph ? cudaGraphLaunch(graph, call->stream)
                          : call_once(call, call->buffers[NOW]);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(call->buffers[RUN + run], call->buffers[Y], y_bytes,
                                    cudaMemcpyDeviceToDevice, call->stream);
    }
    return error;
}

static cudaError_t call_with_steps(const struct judge_call *call)
{
    return call_once(call, call->buffers[STEPS]);
}

static cudaError_t launch(const struct judge_call *call)
{
    if (call->problem->refused_with == JUDGE_LAUNCH_FAILS)
        return judge_without_launch(call, call_with_steps);
    if (call->problem->script == ONE_CALL)
        return call_with_steps(call);
    if (call->problem->script == GONE_BACK)
        return all_runs(call, NULL);
    cudaGraphExec_t graph = NULL;
    cudaError_t error = captured(call, &graph);
    if (error == cudaSuccess)
        error = all_runs(call, graph);
    if (graph)
        cudaGraphExecDestroy(graph);
    return error;
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
    .mistakes = MISTAKES,
    .mistake_count = sizeof MISTAKES / sizeof *MISTAKES,
};
JUDGE(DROPOUT_JUDGE);
