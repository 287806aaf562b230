/* judge.c - lesson 9: AdamW over a list of tensors, in one launch or two.
 *
 * Three things can go wrong apart from each other, so each has cases of its own. The list: which
 * element of which tensor a block takes, with empty tensors, tails, every alignment, both types of
 * gradient, and 640 tensors. The step: the schedule and the corrections, at the first steps, where
 * they are small differences, and at large ones, where a power is long. And the formula, which is
 * held to the truth in double with a bound that truth.c derives.
 *
 * p, m and v are worked on in place. So each of them is an input, too, and what lies between two
 * tensors has to keep its bits.
 *
 * The contract is common/contracts/09_adamw.h; read grader/check/judge.h for the fields.
 * Next: problem.h; then list.c, clauses.c, drawn.c, regimes.c, fill.c, truth.c, launch.c and
 * mistakes.c.
 */
#include "check/judge_graph.h"
#include "judges/09_adamw/clauses.h"
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const LAUNCHERS[] = {"lesson9_adamw", NULL};

/* --- Cases ------------------------------------------------------------------------------------ */

#define ASKS(a) .asks = JUDGE_ASKS(a)
#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
#define ASKS3(a, b, c) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b) | JUDGE_ASKS(c)

/* The fields of struct quest_adamw, but for decay_steps. */
#define HYPER(lr, beta1, beta2, eps, weight_decay, decay_rate) \
    .real = {lr, beta1, beta2, eps, weight_decay, decay_rate}
/* What PyTorch begins with, and a schedule; and rates at which update and decay are as large as
 * what they change. */
#define USUAL HYPER(0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 0.96F)
#define LARGE_RATES HYPER(0.5F, 0.9F, 0.999F, 1e-8F, 0.25F, 0.5F)

#define FULL(text, list, count, elements, step, decay_steps, ...)                                  \
    {                                                                                              \
        .name = text, .size = {list, count, elements, [STEP] = step, [DECAY_STEPS] = decay_steps}, \
        __VA_ARGS__                                                                                \
    }
#define CASE(text, list, count, elements, step, ...) \
    FULL(text, list, count, elements, step, 1000, USUAL, __VA_ARGS__)
/* What the update of a first step is, where nothing else is there: p, m and v begin with 0. */
#define FROM_ZEROS(text, step, decay_steps, ...) \
    FULL(text, ALIKE, 1, 299, step, decay_steps, .data = JUDGE_DATA_ZEROS_IN_FIRST, __VA_ARGS__)
/* From a rate of 2^127 down by e^162: of the exponent, and of what makes it, each bit counts. */
#define LONG_DECAY(rate) HYPER(0x1p127F, 0.9F, 0.999F, 1e-8F, 0.01F, rate)
#define HALF(which) .size[HALVES] = which
#define AT(which) .size[PLACES] = which
#define WITH(which) .size[ZEROS] = which

/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
#define FIRST_OF_PROCESS .processes = 2, .once = 1

/* At one place or another, three tensors of which no block of any size ends with the second. */
#define PLACED(text, places) \
    CASE("3 tensors of 1027, " text, ALIKE, 3, 1027, 7, AT(places), ASKS2(ALIGNMENT, GRADIENT_KEPT))
#define PLACED_HALVES(text, places)                                                         \
    CASE("3 tensors of 1029, FP16, " text, ALIKE, 3, 1029, 7, HALF(ALL_HALVES), AT(places), \
         ASKS2(ALIGNMENT, GRADIENT_IS))
/* At a step, with rates that show it. */
#define STEPPED(text, step, decay_steps, clause, ...) \
    FULL(text, ALIKE, 2, 515, step, decay_steps, ASKS2(EXACT_SCALARS, clause), __VA_ARGS__)
/* On the memory of the case so many places before it, whose call comes first. */
#define AFTER(text, places, list, count, elements, step, decay_steps, clause, ...) \
    FULL("4 tensors of 400, then " text, list, count, elements, step, decay_steps, \
         .after = places, ASKS(clause), __VA_ARGS__)
/* After a call whose list has the same ends. */
#define AFTER_OTHERS(field, how)                                                      \
    FULL("8 tensors of 190, after others' " field, ALIKE, 8, 190, 9, 50, LARGE_RATES, \
         .script = how, .calls = 2, ASKS2(EACH_ELEMENT, READ_AT_ONCE))
#define OFF(buffer) .offset_bytes = {[buffer] = sizeof(float)}
#define AFTER_HYPER(text, places, clause, ...) \
    AFTER(text, places, ALIKE, 4, 400, 9, 50, clause, HYPER(__VA_ARGS__))

#define REFUSED(text, clause, ...)                                                       \
    FULL(text, ALIKE, 3, 40, 5, 10, .refused_with = cudaErrorInvalidValue, ASKS(clause), \
         __VA_ARGS__)
#define REFUSED_CALL(text, clause, how) REFUSED(text, clause, USUAL, .script = how)
#define REFUSED_HYPER(text, ...) REFUSED(text, REFUSED_FIELD, HYPER(__VA_ARGS__))

/* clang-format off */
/* What has to be refused, and what must launch nothing, comes last. */
static const struct judge_case CASES[] = {
    FROM_ZEROS("1 tensor, all 0 but g, step 0", 0, 1000, USUAL, ASKS3(EACH_ELEMENT, UPDATED, T_IS)),
    FROM_ZEROS("1 tensor, all 0 but g, step 1, no schedule", 1, 1000,
               HYPER(0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 1), ASKS2(T_IS, EXACT_SCALARS)),
    FROM_ZEROS("1 tensor, all 0 but g, step 10 of 7", 10, 7, LARGE_RATES,
         ASKS2(RATE_IS, DECAY_RATE_IS)),
    CASE("1 tensor of 1", ALIKE, 1, 1, 0, ASKS3(FIRST_MOMENT, SECOND_MOMENT, UPDATED)),
    CASE("1 tensor of 3", ALIKE, 1, 3, 0, ASKS3(FIRST_MOMENT, SECOND_MOMENT, UPDATED)),
    CASE("3 tensors of 127", ALIKE, 3, 127, 1, ASKS3(EACH_ELEMENT, T_IS, MOMENTS_ARE)),
    CASE("3 tensors of 768", ALIKE, 3, 768, 0, ASKS3(T_IS, MOMENTS_ARE, UPDATED)),
    FULL("3 tensors of 768, update and decay are large", ALIKE, 3, 768, 2, 1000, LARGE_RATES,
         ASKS3(NEW_MOMENTS, DECOUPLED, UPDATED)),
    CASE("3 tensors, one empty", MIXED, 3, 768, 4, ASKS2(N_IS, EMPTY_POINTERS)),
    CASE("12 tensors, some empty, packed", MIXED, 12, 1025, 4, AT(PACKED),
         ASKS2(N_IS, EMPTY_POINTERS)),
    CASE("8 tensors, the last two empty", FIRST, 8, 3000, 4, ASKS2(N_IS, EMPTY_POINTERS)),
    CASE("1 tensor of 65535", ALIKE, 1, 65535, 10, ASKS(N_IS)),
    CASE("2 tensors of 65536", ALIKE, 2, 65536, 10, ASKS(N_IS)),
    CASE("3 tensors of 65537", ALIKE, 3, 65537, 10, ASKS(N_IS)),
    CASE("148 tensors of 50", ALIKE, 148, 50, 10, ASKS2(COUNT_IS, TWO_LAUNCHES)),
    CASE("149 tensors of 50", ALIKE, 149, 50, 10, ASKS2(COUNT_IS, TWO_LAUNCHES)),
    CASE("200 tensors, one of 65537", MIXED, 200, 65537, 10, HALF(EVERY_OTHER),
         ASKS3(COUNT_IS, TWO_LAUNCHES, HOW_MANY)),
    CASE("640 tensors of 5, every other FP16", ALIKE, LESSON9_MOST_TENSORS, 5, 10,
         HALF(EVERY_OTHER), ASKS3(COUNT_IS, TWO_LAUNCHES, HOW_MANY)),
    CASE("640 tensors, one of 5000, packed", MIXED, LESSON9_MOST_TENSORS, 5000, 10, AT(PACKED),
         ASKS3(COUNT_IS, TWO_LAUNCHES, HOW_MANY)),
    CASE("3 tensors of 768, FP16", ALIKE, 3, 768, 6, HALF(ALL_HALVES),
         ASKS2(GRADIENT_IS, GRADIENT_16)),
    CASE("11 tensors, every other FP16", MIXED, 11, 2051, 6, HALF(EVERY_OTHER),
         ASKS2(GRADIENT_IS, GRADIENT_16)),
    CASE("2 tensors of 700, FP16, subnormal", ALIKE, 2, 700, 6, HALF(ALL_HALVES),
         .data = JUDGE_DATA_SUBNORMAL, ASKS2(GRADIENT_16, FP32)),
    PLACED("p one off", P_OFF), PLACED("gradient one off", G_OFF),
    PLACED("gradient two off", G_TWO_OFF), PLACED("m one off", M_OFF),
    PLACED("v one off", V_OFF), PLACED("all one off", ONE_OFF), PLACED("all two off", TWO_OFF),
    PLACED("all three off", THREE_OFF), PLACED("packed", PACKED),
    PLACED_HALVES("p one off", P_OFF), PLACED_HALVES("gradient one off", G_OFF),
    PLACED_HALVES("gradient two off", G_TWO_OFF), PLACED_HALVES("gradient four off", G_FOUR_OFF),
    PLACED_HALVES("all one off", ONE_OFF), PLACED_HALVES("all two off", TWO_OFF),
    PLACED_HALVES("packed", PACKED),
    FULL("4 tensors of 1542, runs of 0 and 2 tensors of 0", ALIKE, 4, 1542, 3, 1000, LARGE_RATES,
         HALF(EVERY_OTHER), WITH(ZERO_TENSORS), ASKS2(EACH_ELEMENT, DECOUPLED)),
    FULL("4 tensors of 1542, the same, one off", ALIKE, 4, 1542, 3, 1000, LARGE_RATES,
         HALF(EVERY_OTHER), AT(ONE_OFF), WITH(ZERO_TENSORS), ASKS2(EACH_ELEMENT, DECOUPLED)),
    CASE("3 tensors of 1000, NaN and infinities", ALIKE, 3, 1000, 3, .data = JUDGE_DATA_SPECIALS,
         ASKS(NAN_SPREADS)),
    CASE("3 tensors of 1003, the same, packed", ALIKE, 3, 1003, 3, AT(PACKED),
         .data = JUDGE_DATA_SPECIALS, ASKS2(NAN_SPREADS, GRADIENT_KEPT)),
    CASE("3 tensors of 1000, FP16, NaN and infinities", ALIKE, 3, 1000, 3, HALF(ALL_HALVES),
         .data = JUDGE_DATA_SPECIALS, ASKS2(NAN_SPREADS, GRADIENT_16)),
    CASE("2 tensors of 900, gradients 0", ALIKE, 2, 900, 3, .data = JUDGE_DATA_ZEROS_IN_SECOND,
         ASKS2(NOT_NEGATIVE, DECOUPLED)),
    FULL("2 tensors of 900, gradients 0, large decay", ALIKE, 2, 900, 3, 1000, LARGE_RATES,
         .data = JUDGE_DATA_ZEROS_IN_SECOND, ASKS2(NOT_NEGATIVE, DECOUPLED)),
    CASE("2 tensors of 900, of many magnitudes", ALIKE, 2, 900, 3, .data = JUDGE_DATA_WIDE,
         ASKS2(NOT_NARROWED, FP32)),
    CASE("2 tensors of 900, subnormal", ALIKE, 2, 900, 3, .data = JUDGE_DATA_SUBNORMAL,
         ASKS2(NOT_NARROWED, FP32)),
    STEPPED("2 tensors of 515, step 1, no decay", 1, 1000, T_IS, HYPER(0.5F, 0.9F, 0.999F, 1e-8F,
         0, 1)),
    STEPPED("2 tensors of 515, step 5", 5, 7, RATE_IS, LARGE_RATES),
    STEPPED("2 tensors of 515, step 100", 100, 33, RATE_IS, LARGE_RATES),
    STEPPED("2 tensors of 515, step 1000", 1000, 1, RATE_IS, HYPER(0.5F, 0.9F, 0.999F, 1e-8F,
         0.25F, 0.99F)),
    STEPPED("2 tensors of 515, step 10^6", 1000000, 30000, RATE_IS, LARGE_RATES),
    STEPPED("2 tensors of 515, step 10^6, no schedule", 1000000, 1, DECAY_RATE_IS,
            HYPER(0.5F, 0.9F, 0.999F, 1e-8F, 0.25F, 1)),
    STEPPED("2 tensors of 515, step 2^32 + 5", (INT64_C(1) << 32) + 5, INT64_C(3) << 30,
            STEP_ON_DEVICE, LARGE_RATES),
    STEPPED("2 tensors of 515, step 2^32, no schedule", INT64_C(1) << 32, 1, STEP_ON_DEVICE,
            HYPER(0.5F, 0.9F, 0.999F, 1e-8F, 0.25F, 1)),
    STEPPED("2 tensors of 515, step 2^64 - 1", -1, INT64_MAX, T_IS, LARGE_RATES),
    STEPPED("2 tensors of 515, decay_steps 2^40", INT64_C(3) << 39, INT64_C(1) << 40,
            DECAY_STEPS_IS, LARGE_RATES),
    STEPPED("2 tensors of 515, beta2 next to 1", 3, 1000, BETAS_ARE,
            HYPER(0.5F, 0.9F, 0x1.fffffep-1F, 1e-8F, 0.25F, 0.5F)),
    STEPPED("2 tensors of 515, betas next to 1, step 10^7", 10000000, INT64_C(1) << 22, BETAS_ARE,
            HYPER(0.5F, 0x1.fffff8p-1F, 0x1.fffffep-1F, 1e-8F, 0.25F, 0.5F)),
    STEPPED("2 tensors of 515, betas next to 1, step 2 * 10^8", 200000000, 1000, BETAS_ARE,
            HYPER(0.5F, 0x1.fffffep-1F, 0x1.fffffcp-1F, 1e-8F, 0.25F, 1)),
    STEPPED("2 tensors of 515, betas next to 1, step 300", 300, 1000, BETAS_ARE,
            HYPER(64, 1 - 0x1p-17F, 1 - 0x1p-18F, 1e-8F, 0, 1)),
    STEPPED("2 tensors of 515, betas next to 1, step 70000", 70000, 1000, BETAS_ARE,
            HYPER(64, 1 - 0x1p-23F, 1 - 0x1p-22F, 1e-8F, 0, 1)),
    STEPPED("2 tensors of 515, betas 0", 3, 1000, BETAS_ARE, HYPER(0.5F, 0, 0, 1e-8F, 0.25F, 0.5F)),
    STEPPED("2 tensors of 515, beta1 0.3, beta2 0.4", 2, 1000, BETAS_ARE,
            HYPER(0.5F, 0.3F, 0.4F, 1e-8F, 0.25F, 0.5F)),
    STEPPED("2 tensors of 515, lr 0", 3, 1000, LR_IS, HYPER(0, 0.9F, 0.999F, 1e-8F, 0.25F, 0.5F)),
    STEPPED("2 tensors of 515, eps 0.5", 3, 1000, EPS_IS, HYPER(0.5F, 0.9F, 0.999F, 0.5F, 0.25F,
         0.5F)),
    STEPPED("2 tensors of 515, eps 2^-60", 3, 1000, EPS_IS,
            HYPER(0.5F, 0.9F, 0.999F, 0x1p-60F, 0.25F, 0.5F)),
    STEPPED("2 tensors of 515, the largest lr and eps", 3, 1000, EPS_IS,
            HYPER(FLT_MAX, 0.9F, 0.999F, FLT_MAX, 0, 1)),
    STEPPED("2 tensors of 515, the largest weight_decay", 3, 1000, LR_IS,
            HYPER(0, 0.9F, 0.999F, 1e-8F, FLT_MAX, 0.5F)),
    STEPPED("2 tensors of 515, decay_rate 2^-20", 3, 4, DECAY_RATE_IS,
            HYPER(0.5F, 0.9F, 0.999F, 1e-8F, 0.25F, 0x1p-20F)),
    STEPPED("2 tensors of 515, decay_rate 2^-149", 1, 8, DECAY_RATE_IS,
            HYPER(0.5F, 0.9F, 0.999F, 1e-8F, 0.25F, 0x1p-149F)),
    STEPPED("2 tensors of 515, lr subnormal", 3, 1000, LR_IS,
            HYPER(0x1.8p-130F, 0.9F, 0.999F, 1e-8F, 0.25F, 1)),
    STEPPED("2 tensors of 515, betas subnormal", 3, 1000, BETAS_ARE,
            HYPER(0.5F, 0x1p-149F, 0x1p-130F, 1e-8F, 0.25F, 0.5F)),
    STEPPED("2 tensors of 515, weight_decay subnormal", 3, 1000, FP32,
            HYPER(0x1p120F, 0.9F, 0.999F, 1e-8F, 0x1.4p-127F, 1), WITH(ONLY_P)),
    STEPPED("2 tensors of 515, tiny m, v 0, eps 2^-100", 1000000, 1000, EPS_IS,
            HYPER(0.5F, 0.9F, 0.999F, 0x1.4p-100F, 0.25F, 1), .data = JUDGE_DATA_TINY),
    STEPPED("2 tensors of 515, tiny m, v 0, the least eps", 1000000, 1000, EPS_IS,
            HYPER(0x1p-31F, 0.9F, 0.999F, 0x1p-149F, 0.25F, 1), .data = JUDGE_DATA_TINY),
    STEPPED("2 tensors of 515, v subnormal, eps 2^-100", 1000000, 1000, EPS_IS,
            HYPER(0.5F, 0.9F, 0.999F, 0x1.4p-100F, 0.25F, 1), .data = JUDGE_DATA_SUBNORMAL),
    /* 0 times NaN. */
    STEPPED("2 tensors of 515, lr 0, NaN and infinities", 3, 1000, NAN_SPREADS,
            HYPER(0, 0.9F, 0.999F, 1e-8F, 0.25F, 1), .data = JUDGE_DATA_SPECIALS),
    STEPPED("2 tensors of 515, a rate decayed to 0, NaN", 1000000, 1, NAN_SPREADS, LARGE_RATES,
            HALF(EVERY_OTHER), .data = JUDGE_DATA_SPECIALS),
    FROM_ZEROS("1 tensor, all 0 but g, step 12199106 of 7695", 12199106, 7695,
         LONG_DECAY(0x1.ced7b8p-1F), ASKS2(EXACT_SCALARS, RATE_IS)),
    FROM_ZEROS("1 tensor, all 0 but g, step 6776976868359", 6776976868359, 1342845748,
         LONG_DECAY(0x1.efc74ap-1F), ASKS3(EXACT_SCALARS, STEP_ON_DEVICE, DECAY_STEPS_IS)),
    FULL("5 tensors, captured", MIXED, 5, 900, 3, 10, USUAL, .script = AS_GRAPH, ASKS(CAPTURED)),
    FULL("5 tensors, a graph replayed for 3 steps", MIXED, 5, 900, 0, 10, LARGE_RATES,
         .script = REPLAYED, .calls = RUNS, ASKS3(CAPTURED, STEP_WHEN_IT_RUNS, STEP_ON_DEVICE)),
    FULL("600 tensors, a graph replayed for 3 steps", MIXED, 600, 900, 0, 10, LARGE_RATES,
         .script = REPLAYED, .calls = RUNS, ASKS3(CAPTURED, STEP_WHEN_IT_RUNS, TWO_LAUNCHES)),
    FULL("5 tensors, back to an earlier step", MIXED, 5, 900, 0, 10, LARGE_RATES,
         .script = GONE_BACK, .calls = RUNS, ASKS2(STEP_WHEN_IT_RUNS, STEP_ON_DEVICE)),
    FULL("3 tensors of 1027, in turn with another call", ALIKE, 3, 1027, 5, 7, LARGE_RATES,
         .script = IN_TURN, .calls = 2, ASKS(WORKSPACE_APART)),
    FULL("600 tensors of 9, in turn with another call", ALIKE, 600, 9, 5, 7, LARGE_RATES,
         .script = IN_TURN, .calls = 2, ASKS2(WORKSPACE_APART, TWO_LAUNCHES)),
    FULL("1 tensor of 1, all 0, first of a process", ALIKE, 1, 1, 0, 1,
         HYPER(0, 0, 0, 0x1p-126F, 0, 0x1p-126F), FIRST_OF_PROCESS, ASKS(LR_IS)),
    FULL("3 tensors of 50, step 0, first of a process", ALIKE, 3, 50, 0, 1, LARGE_RATES,
         FIRST_OF_PROCESS,
         ASKS(T_IS)),
    FULL("4 tensors of 400", ALIKE, 4, 400, 9, 50, LARGE_RATES, ASKS(EACH_ELEMENT)),
    AFTER("p one off", 1, ALIKE, 4, 400, 9, 50, ALIGNMENT, LARGE_RATES, OFF(P)),
    AFTER("gradient one off", 2, ALIKE, 4, 400, 9, 50, ALIGNMENT, LARGE_RATES, OFF(G)),
    AFTER("m one off", 3, ALIKE, 4, 400, 9, 50, ALIGNMENT, LARGE_RATES, OFF(M)),
    AFTER("v one off", 4, ALIKE, 4, 400, 9, 50, ALIGNMENT, LARGE_RATES, OFF(V)),
    AFTER("of 399", 5, ALIKE, 4, 399, 9, 50, N_IS, LARGE_RATES),
    AFTER("3 of them", 6, ALIKE, 3, 400, 9, 50, COUNT_IS, LARGE_RATES),
    AFTER("another step", 7, ALIKE, 4, 400, 10, 50, STEP_ON_DEVICE, LARGE_RATES),
    AFTER("other decay_steps", 8, ALIKE, 4, 400, 9, 51, DECAY_STEPS_IS, LARGE_RATES),
    AFTER_HYPER("another lr", 9, LR_IS, 0.25F, 0.9F, 0.999F, 1e-8F, 0.25F, 0.5F),
    AFTER_HYPER("another beta1", 10, BETAS_ARE, 0.5F, 0.8F, 0.999F, 1e-8F, 0.25F, 0.5F),
    AFTER_HYPER("another beta2", 11, BETAS_ARE, 0.5F, 0.9F, 0.99F, 1e-8F, 0.25F, 0.5F),
    AFTER_HYPER("another eps", 12, EPS_IS, 0.5F, 0.9F, 0.999F, 0.125F, 0.25F, 0.5F),
    AFTER_HYPER("no weight_decay", 13, DECOUPLED, 0.5F, 0.9F, 0.999F, 1e-8F, 0, 0.5F),
    AFTER_HYPER("another decay_rate", 14, DECAY_RATE_IS, 0.5F, 0.9F, 0.999F, 1e-8F, 0.25F, 0.75F),
    AFTER_HYPER("betas exchanged", 15, BETAS_ARE, 0.5F, 0.999F, 0.9F, 1e-8F, 0.25F, 0.5F),
    AFTER_HYPER("lr and weight_decay exchanged", 16, LR_IS, 0.25F, 0.9F, 0.999F, 1e-8F, 0.5F, 0.5F),
    FULL("4 tensors of 400, after a call of FP16", ALIKE, 4, 400, 9, 50, LARGE_RATES,
         .script = TYPE_FIRST, .calls = 2, ASKS2(GRADIENT_IS, READ_AT_ONCE)),
    AFTER_OTHERS("p", OTHER_P_FIRST),
    AFTER_OTHERS("g", OTHER_G_FIRST),
    AFTER_OTHERS("m", OTHER_M_FIRST),
    AFTER_OTHERS("v", OTHER_V_FIRST),
    FULL("4 tensors of 300, 30 times, workspace overwritten", ALIKE, 4, 300, 9, 50, LARGE_RATES,
         .script = OVERWRITTEN, .calls = 30, ASKS(WORKSPACE_HELD)),
    FULL("5 tensors, and 2^34 - 1 elements captured", MIXED, 5, 900, 3, 10, USUAL,
         .script = MOST_FIRST, ASKS3(HOW_MANY, COUNT_IS, CAPTURED)),
    CASE("no tensors", ALIKE, 0, 0, 5, .launches_nothing = 1, ASKS2(NO_ELEMENTS, COUNT_IS)),
    CASE("3 empty tensors", ALIKE, 3, 0, 5, .launches_nothing = 1,
         ASKS2(NO_ELEMENTS, EMPTY_POINTERS)),
    CASE("640 empty tensors", ALIKE, LESSON9_MOST_TENSORS, 0, 5, .launches_nothing = 1,
         ASKS2(NO_ELEMENTS, COUNT_IS)),
    CASE("3 tensors of 40, and the launch fails", ALIKE, 3, 40, 5,
         .refused_with = JUDGE_LAUNCH_FAILS, ASKS(LAUNCH_ERRORS)),
    CASE("600 tensors of 2, and the launch fails", ALIKE, 600, 2, 5,
         .refused_with = JUDGE_LAUNCH_FAILS, ASKS(LAUNCH_ERRORS)),
    REFUSED_CALL("count = -1", REFUSED_COUNT, COUNT_NEGATIVE),
    REFUSED_CALL("count = 641", REFUSED_COUNT, COUNT_TOO_LARGE),
    REFUSED_CALL("p is NULL", REFUSED_NULL, NO_P),
    REFUSED_CALL("g is NULL", REFUSED_NULL, NO_G),
    REFUSED_CALL("m is NULL", REFUSED_NULL, NO_M),
    REFUSED_CALL("v is NULL", REFUSED_NULL, NO_V),
    REFUSED_CALL("n = -1", REFUSED_N, LAST_NEGATIVE),
    REFUSED_CALL("n = 2^34", REFUSED_SUM, LAST_TOO_LONG),
    REFUSED_CALL("two of n = 2^34 - 1", REFUSED_SUM, SUM_TOO_LONG),
    REFUSED_CALL("two of n = 2^63 - 1", REFUSED_SUM, SUM_OVERFLOWS),
    REFUSED_HYPER("lr = -0.001", -0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("lr is NaN", NAN, 0.9F, 0.999F, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("lr is infinite", INFINITY, 0.9F, 0.999F, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("beta1 = 1", 0.001F, 1, 0.999F, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("beta1 = -0.5", 0.001F, -0.5F, 0.999F, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("beta1 is NaN", 0.001F, NAN, 0.999F, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("beta2 = 1", 0.001F, 0.9F, 1, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("beta2 = -2^-149", 0.001F, 0.9F, -0x1p-149F, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("beta2 is NaN", 0.001F, 0.9F, NAN, 1e-8F, 0.01F, 0.96F),
    REFUSED_HYPER("eps = 0", 0.001F, 0.9F, 0.999F, 0, 0.01F, 0.96F),
    REFUSED_HYPER("eps is NaN", 0.001F, 0.9F, 0.999F, NAN, 0.01F, 0.96F),
    REFUSED_HYPER("eps is infinite", 0.001F, 0.9F, 0.999F, INFINITY, 0.01F, 0.96F),
    REFUSED_HYPER("weight_decay = -1", 0.001F, 0.9F, 0.999F, 1e-8F, -1, 0.96F),
    REFUSED_HYPER("weight_decay is NaN", 0.001F, 0.9F, 0.999F, 1e-8F, NAN, 0.96F),
    REFUSED_HYPER("weight_decay is infinite", 0.001F, 0.9F, 0.999F, 1e-8F, INFINITY, 0.96F),
    REFUSED_HYPER("decay_rate = 0", 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 0),
    REFUSED_HYPER("decay_rate = 1 + 2^-23", 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, 1 + 0x1p-23F),
    REFUSED_HYPER("decay_rate is NaN", 0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, NAN),
    FULL("decay_steps = 0", ALIKE, 3, 40, 5, 0, .refused_with = cudaErrorInvalidValue,
         ASKS(REFUSED_FIELD), USUAL),
    FULL("decay_steps = -1, no tensors", ALIKE, 0, 0, 5, -1, .refused_with = cudaErrorInvalidValue,
         ASKS(REFUSED_FIELD), USUAL),
    FULL("lr is NaN, no tensors", ALIKE, 0, 0, 5, 10, .refused_with = cudaErrorInvalidValue,
         ASKS(REFUSED_FIELD), HYPER(NAN, 0.9F, 0.999F, 1e-8F, 0.01F, 0.96F)),
};

/* Past the ends of an int and of an unsigned, in a tensor that others follow,
         and in all together. */
static const struct judge_case LARGE[] = {
    CASE("3 tensors, one of 3 * 2^31 + 4", MIXED, 3, 3 * (INT64_C(1) << 31) + 4, 10,
         ASKS2(N_IS, HOW_MANY)),
    CASE("5 tensors, the first of 2^32 + 7, one off", FIRST, 5, (INT64_C(1) << 32) + 7, 10,
         AT(ONE_OFF), ASKS2(N_IS, ALIGNMENT)),
    CASE("4 tensors, one of 2^33, FP16", MIXED, 4, INT64_C(1) << 33, 10, HALF(ALL_HALVES),
         ASKS2(N_IS, GRADIENT_IS)),
    CASE("5 tensors of 2^30 + 1, packed", ALIKE, 5, (1 << 30) + 1, 10, AT(PACKED),
         ASKS2(HOW_MANY, ALIGNMENT)),
};
/* clang-format on */

/* The parameters of GPT-2 (small): 124,439,808 in 148 tensors, each an allocation. The simulated
 * device's own has the same tensors, 64 wide in place of 768. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    enum { TENSORS = 148, WIDTH = 768, SIMULATED_WIDTH = 64 };
    const struct judge_case simulated = CASE("a network 64 wide: 148 tensors", NETWORK, TENSORS,
                                             SIMULATED_WIDTH, 1234, AT(ON_LINES));
    const struct judge_case on_device =
        CASE("GPT-2 small: 148 tensors", NETWORK, TENSORS, WIDTH, 1234, AT(ON_LINES));
    if (room == 0)
        return 0;
    cases[0] = device->simulated ? simulated : on_device;
    return 1;
}

/* --- Buffers and work ------------------------------------------------------------------------- */

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    const struct adamw_list *tensors = adamw_list(problem);
    const struct judge_buffer arena[ARENAS] = {
        [P] = {.name = "p", JUDGE_INOUT, JUDGE_F32},
        [G] = {.name = "g", JUDGE_IN, JUDGE_F32},
        [G16] = {.name = "g (FP16)", JUDGE_IN, JUDGE_F16},
        [M] = {.name = "m", JUDGE_INOUT, JUDGE_F32},
        [V] = {.name = "v", JUDGE_INOUT, JUDGE_F32},
    };
    memcpy(list, arena, sizeof arena);
    for (size_t i = 0; i < ARENAS; i++)
        list[i].count = (uint64_t)tensors->length[i];
    bool runs = adamw_has_runs(problem);
    list[STEPS] = (struct judge_buffer){.name = "step", JUDGE_IN, JUDGE_U64, runs ? RUNS : 1};
    if (!runs)
        return STEPS + 1;
    list[NOW] = (struct judge_buffer){.name = "step, moved on", JUDGE_OUT, JUDGE_U64, 1};
    return NOW + 1;
}

/* p, m and v are read and written, the gradient is read. */
static struct judge_work work(const struct judge_case *problem)
{
    const struct adamw_list *list = adamw_list(problem);
    double elements = (double)list->elements, halves = (double)list->half_elements;
    return (struct judge_work){.bytes = 28 * elements - 2 * halves};
}

/* --- Bars and hints --------------------------------------------------------------------------- */

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 2, .every_case = true,
     .message = "the contract forbids more than two kernel launches a call",
     .look_at = "a list of hundreds of tensors fits in the parameters of one kernel"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "what neighbouring lanes load at a time should lie side by side"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "what neighbouring lanes store at a time should lie side by side"},
    {JUDGE_WARP_INSTRUCTIONS, .at_most = 1.70,
     .message = "the warps execute more instructions than the problem needs",
     .look_at = "powers of beta and of the decay are the same for all elements: once a block is "
                "enough"},
    {JUDGE_BYTES_RATIO, .at_most = 1.03, .message = "more bytes move than the problem has",
     .look_at = "p, m and v are read once and written once, a gradient is read once"},
    JUDGE_BARS_OF_HOST(false),
};

static const char *const HINTS[] = {
    "Of the launches of a call, how many have fewer blocks than the device has multiprocessors? "
    "And what is the same for every element of a step, and computed how often?",
    "Cut all tensors into chunks of one size, and let a block do a chunk: then it does not matter "
    "how long a tensor is. The list goes to the kernel as a parameter, a struct by value, which "
    "may have 32,764 bytes; how many chunks come before each tensor is in it, too. Powers are the "
    "same for the whole step: one thread of a block takes them, from *step, and shares them.",
    "Block b: find the last tensor i with first[i] <= b, by halving; it does elements (b - "
    "first[i]) * CHUNK up to CHUNK more, or up to n. If p, m, v are multiples of 16 bytes and g of "
    "four of its elements, thread t takes four neighbours as one float4 of each, from 4 t on, and "
    "a block's width further on the next four; otherwise single elements, t, t + 256, and so on. "
    "Thread 0, 32 and 64 each take one power in double and leave a float in shared memory, before "
    "a barrier.",
};

static bool launches_twice(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LAUNCHES] <= 2;
}

static bool takes_quads(const struct judge_evidence *e)
{
    return launches_twice(e) && e->kernel.store_width > 12 &&
           e->counter[JUDGE_WARP_INSTRUCTIONS] <= 1.7;
}

static const struct judge_asked ASKED[] = {
    {2, "Cut all tensors", 0, launches_twice},
    {3, "Block b:", 0, takes_quads},
};

static const struct judge ADAMW = {
    .lesson = "09_adamw",
    .title = "multi-tensor AdamW",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake launch_for_each_tensor",
    .clauses = &ADAMW_CLAUSES,
    .context = ADAMW_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = adamw_draw,
    .drawn_large = adamw_draw_large,
    .redrawn = adamw_redraw,
    .nearby = adamw_nearby,
    .regimes = &ADAMW_REGIMES,
    .timed = timed,
    .calls_overlap = true,
    .buffers = buffers,
    .fill = adamw_fill,
    .truth = adamw_truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = adamw_truth_at,
    .launch = adamw_launch,
    .workspace_bytes = ADAMW_WORKSPACE_BYTES,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.80,
    .gold_bar = 0.85,
    .ceiling = "copy rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &ADAMW_MISTAKES,
};
JUDGE(ADAMW);
