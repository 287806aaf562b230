/* judge.c - lesson 5: dropout whose random words are a function of seed, layer, step and element.
 *
 * A mask is right or wrong: every element is compared, and the zeros must be exactly the right
 * ones. The properties that a stateless generator gives are cases, too: the same mask in the
 * backward pass, in a graph that was captured once and replayed with the step counted up on the
 * device, and at a step that is repeated later. Two cases put the threshold right next to the word
 * of one element, where a comparison of floats goes the other way.
 *
 * The contract is common/contracts/05_dropout.h; read grader/check/judge.h for the fields.
 * Next: problem.h; then clauses.c, drawn.c, regimes.c, truth.c, launch.c (what the runner does) and
 * mistakes.c.
 */
#include "check/judge_graph.h"
#include "judges/05_dropout/clauses.h"
#include "judges/05_dropout/parts.h"
#include "judges/05_dropout/problem.h"

#include <math.h>
#include <string.h>

static const char *const LAUNCHERS[] = {"lesson5_dropout_fwd", "lesson5_dropout_bwd", NULL};

/* --- Cases ------------------------------------------------------------------------------------ */

#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
#define ASKS3(a, b, c) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b) | JUDGE_ASKS(c)

#define KEYED_DROPOUT(text, n, p, step, seed, layer, ...)                               \
    {                                                                                   \
        .name = text, .size = {[N] = n, [STEP] = step, [SEED] = seed, [LAYER] = layer}, \
        .real = {[P] = p}, __VA_ARGS__                                                  \
    }
#define DROPOUT(text, n, p, step, layer, ...) \
    KEYED_DROPOUT(text, n, p, step, 2026, layer, __VA_ARGS__)
#define REFUSED(text, n, p, clause, ...)                                                         \
    DROPOUT(text, n, p, 0, 0, .refused_with = cudaErrorInvalidValue, .asks = JUDGE_ASKS(clause), \
            __VA_ARGS__)
#define FAILS(text, p, ...)                                          \
    DROPOUT(text, 1001, p, 0, 0, .refused_with = JUDGE_LAUNCH_FAILS, \
            .asks = JUDGE_ASKS(LAUNCH_ERRORS), __VA_ARGS__)
/* Both pointers so many elements past a multiple of 16 bytes, as in any slice of a tensor that is
 * worked on in place: a body of whole quads may begin there, and counts its words from 0. */
#define ALIKE(text, n, elements, ...)                                                 \
    DROPOUT(text, n, 0.1f, 5, 2,                                                      \
            .offset_bytes = {[X] = (elements)*ONE_FLOAT, [Y] = (elements)*ONE_FLOAT}, \
            ASKS2(ALIGNMENT, WORD_OF_ELEMENT), __VA_ARGS__)
/* The word of an element is the threshold: in a whole quad, in what is left of the last one, and
 * where a pointer is off, which may each be code of its own, as may the backward pass. */
#define WORD_IS_P(text, n, e, ...)                                                     \
    DROPOUT(text ", word " #e " is p", n, P_OF_WORD_##e, STEP_OF_##e, 0,               \
            .asks = JUDGE_ASKS(THRESHOLD), __VA_ARGS__),                               \
        DROPOUT(text ", backward, word " #e " is p", n, P_OF_WORD_##e, STEP_OF_##e, 0, \
                .launcher = BACKWARD, .asks = JUDGE_ASKS(THRESHOLD), __VA_ARGS__)
/* What is left of the last quad is NaN or infinite, and dropped. */
#define LAST_IS_DROPPED(text, n)                                                        \
    DROPOUT(text ", NaN at its end", n, 0.9f, 5, 2, .data = JUDGE_DATA_SPECIALS,        \
            ASKS2(DROPPED, FORWARD_IS)),                                                \
        DROPOUT(text ", backward, NaN at its end", n, 0.9f, 5, 2, .launcher = BACKWARD, \
                .data = JUDGE_DATA_SPECIALS, ASKS2(DROPPED, BACKWARD_IS))
/* Right after the other pass, whose mask, key or step may have been kept. */
#define AFTER_OTHER(text, pass, n, where)                                                          \
    DROPOUT(text ", steps differ", n, 0.1f, 1000, 3, .size[PLACES] = where, .launcher = pass,      \
            .script = OTHER_PASS, .calls = 2 * RUNS, .asks = JUDGE_ASKS(MASK_IN_BOTH_PASSES)),     \
        DROPOUT(text ", others differ", n, 0.1f, 1000, 3, .size[PLACES] = where, .launcher = pass, \
                .script = OTHER_CALL, .calls = 2 * RUNS + 1,                                       \
                .asks = JUDGE_ASKS(MASK_IN_BOTH_PASSES))
/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1
#define X_OFF .offset_bytes = {[X] = ONE_FLOAT}
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
    DROPOUT("n = 1023, p = -0: nothing changes", 1023, -0.0, 5, 2, ASKS2(P_AT_ITS_ENDS, P_IS)),
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
    /* The last quad is not whole, and the first one of a warp and of a block. */
    DROPOUT("n = 2050, in place", 2050, 0.1f, 5, 2, .alias = IN_PLACE,
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
    DROPOUT("n = 2050, backward, in place", 2050, 0.1f, 6, 2, .launcher = BACKWARD,
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
            .calls = RUNS, ASKS3(CAPTURED, STEP_WHEN_IT_RUNS, MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 4099, the same graph, backward", 4099, 0.1f, 1000, 3, .script = REPLAYED,
            .calls = RUNS, .launcher = BACKWARD,
            ASKS3(CAPTURED, STEP_WHEN_IT_RUNS, MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 4099, back to an earlier step", 4099, 0.1f, 1000, 3, .script = GONE_BACK,
            .calls = RUNS, .asks = JUDGE_ASKS(MASK_IN_BOTH_PASSES)),
    AFTER_OTHER("n = 4099, forward after backward", FORWARD, 4099, SAME_PLACES),
    AFTER_OTHER("n = 4099, backward after forward", BACKWARD, 4099, SAME_PLACES),
    AFTER_OTHER("n = 4096, forward, exchanged", FORWARD, 4096, EXCHANGED),
    AFTER_OTHER("n = 4096, backward, exchanged", BACKWARD, 4096, EXCHANGED),
    AFTER_OTHER("n = 4100, forward, in place", FORWARD, 4100, ONE_PLACE),
    AFTER_OTHER("n = 4100, backward, in place", BACKWARD, 4100, ONE_PLACE),
    DROPOUT("n = 64, word 51 is p * 2^32 rounded down", 64, P_ABOVE_WORD_51, 0, 0,
            .asks = JUDGE_ASKS(THRESHOLD)),
    DROPOUT("n = 64, word 51 is 1 below p", 64, P_PAST_WORD_51, 0, 0,
            .asks = JUDGE_ASKS(THRESHOLD)),
    WORD_IS_P("n = 64", 64, 60),
    WORD_IS_P("n = 64", 64, 61),
    WORD_IS_P("n = 64", 64, 62),
    WORD_IS_P("n = 64", 64, 63),
    WORD_IS_P("n = 63", 63, 60),
    WORD_IS_P("n = 63", 63, 61),
    WORD_IS_P("n = 63", 63, 62),
    WORD_IS_P("n = 64, x one off", 64, 60, X_OFF),
    WORD_IS_P("n = 64, x one off", 64, 61, X_OFF),
    WORD_IS_P("n = 64, x one off", 64, 62, X_OFF),
    WORD_IS_P("n = 64, x one off", 64, 63, X_OFF),
    DROPOUT("n = 64, p = 1 - 2^-24, word 56 is p", 64, P_NEXT_TO_1, STEP_OF_NEXT_TO_1, 0,
            ASKS2(P_AT_ITS_ENDS, THRESHOLD)),
    DROPOUT("n = 64, p = 1 - 2^-24, backward, word 56 is p", 64, P_NEXT_TO_1, STEP_OF_NEXT_TO_1, 0,
            .launcher = BACKWARD, ASKS2(P_AT_ITS_ENDS, THRESHOLD)),
    KEYED_DROPOUT("n = 64, p = 2^-32, word 1 is 0", 64, P_OF_WORD_0, STEP_WORD_1_IS_0, 0, 0,
                  ASKS2(P_AT_ITS_ENDS, THRESHOLD)),
    KEYED_DROPOUT("n = 64, p just below 2^-32, word 1 is 0", 64, P_BELOW_WORDS, STEP_WORD_1_IS_0, 0,
                  0, ASKS2(P_AT_ITS_ENDS, THRESHOLD)),
    KEYED_DROPOUT("n = 1023, seed 0xFEDCBA98", 1023, 0.5, 7, 0xFEDCBA98, 5, ASKS2(KEY, KEY_IS)),
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
    DROPOUT("n = 1023, backward, p = 0 of NaN and zeros", 1023, 0, 5, 2, .launcher = BACKWARD,
            .data = JUDGE_DATA_SPECIALS, ASKS2(P_AT_ITS_ENDS, BACKWARD_IS)),
    DROPOUT("n = 1023, backward, p = 1 of NaN", 1023, 1, 5, 2, .launcher = BACKWARD,
            .data = JUDGE_DATA_SPECIALS, ASKS2(P_AT_ITS_ENDS, BACKWARD_IS)),
    DROPOUT("n = 1021, backward, p = 1, y one off", 1021, 1, 5, 2, .launcher = BACKWARD,
            .offset_bytes = {[Y] = ONE_FLOAT}, ASKS2(P_AT_ITS_ENDS, ALIGNMENT)),
    DROPOUT("n = 1021, p = 1, y one off", 1021, 1, 5, 2, .offset_bytes = {[Y] = ONE_FLOAT},
            ASKS2(P_AT_ITS_ENDS, ALIGNMENT)),
    LAST_IS_DROPPED("n = 1021", 1021),
    LAST_IS_DROPPED("n = 1022", 1022),
    LAST_IS_DROPPED("n = 1023", 1023),
    DROPOUT("n = 16384, in place", 16384, 0.1f, 5, 2, .alias = IN_PLACE,
            .asks = JUDGE_ASKS(IN_PLACE_FORWARD)),
    DROPOUT("n = 16384, backward, in place", 16384, 0.1f, 6, 2, .launcher = BACKWARD,
            .alias = IN_PLACE, .asks = JUDGE_ASKS(IN_PLACE_BACKWARD)),
    DROPOUT("n = 100003", 100003, 0.1f, 12345, 9, ASKS2(FORWARD_IS, COUNTER)),
    KEYED_DROPOUT("n = 5, all 0, first of a process", 5, 0, 0, 0, 0, FIRST,
                  .asks = JUDGE_ASKS(P_AT_ITS_ENDS)),
    KEYED_DROPOUT("n = 5, backward, all 0, first of a process", 5, 0, 0, 0, 0, FIRST,
                  .launcher = BACKWARD, .asks = JUDGE_ASKS(P_AT_ITS_ENDS)),
    KEYED_DROPOUT("n = 1023, step and key 0, first of a process", 1023, 0.5, 0, 0, 0, FIRST,
                  ASKS2(KEY, MASK_IN_BOTH_PASSES)),
    KEYED_DROPOUT("n = 1023, backward, all 0, first of a process", 1023, 0.5, 0, 0, 0, FIRST,
                  .launcher = BACKWARD, ASKS2(KEY, MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 1023, backward, no forward call before it", 1023, 0.5, 5, 2, FIRST,
            .launcher = BACKWARD, .asks = JUDGE_ASKS(MASK_IN_BOTH_PASSES)),
    DROPOUT("n = 1024", 1024, 0.25f, 5, 2, .asks = JUDGE_ASKS(FORWARD_IS)),
    DROPOUT("n = 1024, then x one off", 1024, 0.25f, 5, 2, X_OFF, .after = 1,
            .asks = JUDGE_ASKS(ALIGNMENT)),
    DROPOUT("n = 1024, then y one off", 1024, 0.25f, 5, 2, .offset_bytes = {[Y] = ONE_FLOAT},
            .after = 2, .asks = JUDGE_ASKS(ALIGNMENT)),
    DROPOUT("n = 1024, then 1023", 1023, 0.25f, 5, 2, .after = 3, .asks = JUDGE_ASKS(FORWARD_IS)),
    DROPOUT("n = 1024, then another p", 1024, 0.75f, 5, 2, .after = 4, .asks = JUDGE_ASKS(P_IS)),
    DROPOUT("n = 1024, then another step", 1024, 0.25f, 6, 2, .after = 5,
            .asks = JUDGE_ASKS(STEP_ON_DEVICE)),
    DROPOUT("n = 1024, then another layer", 1024, 0.25f, 5, 3, .after = 6, .asks = JUDGE_ASKS(KEY)),
    KEYED_DROPOUT("n = 1024, then another seed", 1024, 0.25f, 5, 2027, 2, .after = 7,
                  .asks = JUDGE_ASKS(KEY)),
    DROPOUT("n = 1024, backward", 1024, 0.25f, 5, 2, .launcher = BACKWARD,
            .asks = JUDGE_ASKS(BACKWARD_IS)),
    DROPOUT("n = 1024, backward, then x one off", 1024, 0.25f, 5, 2, .launcher = BACKWARD, X_OFF,
            .after = 1, .asks = JUDGE_ASKS(ALIGNMENT)),
    DROPOUT("n = 1024, backward, then another p", 1024, 0.75f, 5, 2, .launcher = BACKWARD,
            .after = 2, .asks = JUDGE_ASKS(P_IS)),
    DROPOUT("n = 0, backward", 0, 0.5, 0, 0, .launcher = BACKWARD, .launches_nothing = 1,
            .asks = JUDGE_ASKS(NO_ELEMENTS)),
    FAILS("n = 1001, and the launch fails", 0.5),
    FAILS("n = 1001, p = 0, and the launch fails", 0),
    FAILS("n = 1001, p = 1, and the launch fails", 1),
    FAILS("n = 1001, backward, and the launch fails", 0.5, .launcher = BACKWARD),
    FAILS("n = 1001, backward, p = 0, the launch fails", 0, .launcher = BACKWARD),
    FAILS("n = 1001, backward, p = 1, the launch fails", 1, .launcher = BACKWARD),
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
    DROPOUT("n = 5 * 2^32, in place, one off", 5 * (INT64_C(1) << 32), 0.1f, 5, 2,
            .alias = IN_PLACE, .offset_bytes = {[X] = ONE_FLOAT, [Y] = ONE_FLOAT},
            ASKS2(MANY_ELEMENTS, ALIGNMENT)),
    DROPOUT("n = 5 * 2^32, backward, in place, one off", 5 * (INT64_C(1) << 32), 0.1f, 5, 2,
            .launcher = BACKWARD, .alias = IN_PLACE,
            .offset_bytes = {[X] = ONE_FLOAT, [Y] = ONE_FLOAT}, ASKS2(MANY_ELEMENTS, ALIGNMENT)),
};

/* On the simulated device a little more than 2^21, a chunk of the exercise: who keeps the loop over
 * chunks launches twice there, and 32 times on a GPU. The backward pass is a launcher of its own,
 * whose kernel may be another one. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    static const struct judge_case
        SMALL[PASSES] = {DROPOUT("n = 2100000, p = 0.1", 2100000, 0.1f, 12345, 9),
                         DROPOUT("n = 2100000, p = 0.1, backward", 2100000, 0.1f, 12345, 9,
                                 .launcher = BACKWARD)},
        MIDDLE[PASSES] = {DROPOUT("n = 2^24, p = 0.1", 1 << 24, 0.1f, 12345, 9),
                          DROPOUT("n = 2^24, p = 0.1, backward", 1 << 24, 0.1f, 12345, 9,
                                  .launcher = BACKWARD)},
        LARGEST[PASSES] = {
            DROPOUT("n = 2^26, p = 0.1", 1 << 26, 0.1f, 12345, 9),
            DROPOUT("n = 2^26, p = 0.1, backward", 1 << 26, 0.1f, 12345, 9, .launcher = BACKWARD)};
    /* Several times the L2, and no more than an eighth of the memory for both buffers. */
    bool fits = device->memory_bytes / 8 >= UINT64_C(8) << 26;
    size_t count = room < PASSES ? room : PASSES;
    memcpy(cases, device->simulated ? SMALL : fits ? LARGEST : MIDDLE, count * sizeof *cases);
    return count;
}

/* --- Buffers and work ------------------------------------------------------------------------- */

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

static struct judge_work work(const struct judge_case *problem)
{
    return (struct judge_work){.bytes = 8.0 * (double)problem->size[N]};
}

/* --- Bars and hints --------------------------------------------------------------------------- */

/* Each warp loads the 8 bytes of the step: with four elements a thread, that is a hundredth of the
 * bytes it moves; with one element, 3 %. A byte of mask for each element would be 12 %. One call of
 * Philox for every two elements takes 2.0 times the solution's instructions, one for each element
 * 3.8 times; exchanging the words of a warp's calls between its lanes takes 1.3 times. */
static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "one kernel, launched once, can draw the words where it uses them"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should load neighbouring data: if a thread takes four "
                "elements, load them as one float4"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should store neighbouring data: if a thread takes four "
                "elements, store them as one float4"},
    {JUDGE_WARP_INSTRUCTIONS, .at_most = 1.70,
     .message = "the warps execute more instructions than the problem needs",
     .look_at = "one call of Philox gives four words: are all of them used?"},
    {JUDGE_BYTES_RATIO, .at_most = 1.07, .message = "more bytes move than the problem has",
     .look_at = "read x once and write y once; a word that can be computed need not be stored"},
    JUDGE_BARS_OF_HOST(false),
};

static const char *const HINTS[] = {
    "Count what moves: each element needs 8 bytes, 4 read and 4 written. What else goes through "
    "memory, and what ever reads it again?",
    "A counter-based generator has no state to set up, store or load: its words are a function of "
    "(seed, layer, step, element), so the thread that needs a word can compute it, in the forward "
    "pass and again in the backward pass. Only the step changes between replays of a graph: the "
    "kernel must read it through the pointer.",
    "Thread t: take elements 4t to 4t + 3 as a float4 (where both pointers are multiples of 16 "
    "bytes and 4t + 4 <= n), with counter {lo(t), hi(t), lo(*d_step), hi(*d_step)}, key {seed, "
    "layer} and one call of philox. Word k is for element 4t + k: keep it if word >= threshold.",
};

static bool moves_once(const struct judge_evidence *e)
{
    return e->counter[JUDGE_BYTES_RATIO] <= 1.07;
}

static bool takes_quads(const struct judge_evidence *e)
{
    return e->kernel.store_width > 12 && e->counter[JUDGE_WARP_INSTRUCTIONS] <= 1.7;
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
    .clauses = &DROPOUT_CLAUSES,
    .context = DROPOUT_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = dropout_draw,
    .drawn_large = dropout_draw_large,
    .redrawn = dropout_redraw,
    .nearby = dropout_nearby,
    .regimes = &DROPOUT_REGIMES,
    .timed = timed,
    .buffers = buffers,
    .fill = dropout_fill,
    .uniform_when_timed = true,
    .truth = dropout_truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = dropout_truth_at,
    .launch = dropout_launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.80,
    .gold_bar = 0.92,
    .ceiling = "copy rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &DROPOUT_MISTAKES,
};
JUDGE(DROPOUT_JUDGE);
