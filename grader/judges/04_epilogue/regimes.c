/* regimes.c - lesson 4: calls that the timed case has no example of. Each has its own activation
 * and flags, so that other ends of the product are met as well; some have special values and
 * subnormal sums, of which the timed case has none. */
#include "judges/04_epilogue/parts.h"
#include "judges/04_epilogue/problem.h"

#include <math.h>
#include <stdio.h>

static void name_regime(struct judge_case *problem, const char *text)
{
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld%s",
             (long long)problem->size[M], (long long)problem->size[N], (long long)problem->size[K],
             text);
}

static void turn_sides(struct judge_case *problem, int64_t m, int64_t n, int64_t k)
{
    problem->size[M] = m;
    problem->size[N] = n;
    problem->size[K] = k;
}

static void turn_end(struct judge_case *problem, enum quest_activation activation, bool with_bias,
                     bool save_z)
{
    problem->size[ACTIVATION] = activation;
    problem->size[WITH_BIAS] = with_bias;
    problem->size[SAVE_Z] = save_z;
    problem->real[SLOPE] = activation == QUEST_ACT_LEAKY_RELU ? FIRST_SLOPE : NAN;
}

static void turn_odd(struct judge_case *problem)
{
    for (int side = M; side <= K; side++)
        problem->size[side] -= 1;
    for (int i = 0; i < BUFFERS; i++)
        problem->offset_bytes[i] = sizeof(float);
    name_regime(problem, ", all one element off");
}

static void turn_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"A", "B", "bias", "Y", "Z"};
    name_regime(problem, judge_places_text(problem, NAMES, BUFFERS).text);
}

static void turn_tall(struct judge_case *problem)
{
    turn_sides(problem, 50000, 256, 128);
    turn_end(problem, QUEST_ACT_LEAKY_RELU, true, false);
    name_regime(problem, ", bias, leaky");
}

static void turn_wide(struct judge_case *problem)
{
    turn_sides(problem, 256, 50000, 128);
    turn_end(problem, QUEST_ACT_TANH, false, true);
    name_regime(problem, ", tanh, Z saved");
}

/* Enough tiles for the device. */
static void turn_long_k(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_FAINT_FIRST;
    turn_sides(problem, 2048, 2048, 2304);
    turn_end(problem, QUEST_ACT_NONE, false, false);
    name_regime(problem, ", none");
}

/* With so short a k, the end is most of the work, and Y most of what moves: where it is written,
 * read back and written again that is three times as much. */
static void turn_short_k(struct judge_case *problem, enum quest_activation activation,
                         const char *text)
{
    problem->size[K] = 16;
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    turn_end(problem, activation, false, false);
    name_regime(problem, text);
}

#define TURN_END(activation, number, text)                          \
    static void turn_##activation##_end(struct judge_case *problem) \
    {                                                               \
        turn_short_k(problem, number, text);                        \
    }
TURN_END(no, QUEST_ACT_NONE, ", none")
TURN_END(relu, QUEST_ACT_RELU, ", relu")
TURN_END(leaky, QUEST_ACT_LEAKY_RELU, ", leaky")
TURN_END(sigmoid, QUEST_ACT_SIGMOID, ", sigmoid")
TURN_END(tanh, QUEST_ACT_TANH, ", tanh")
TURN_END(erf, QUEST_ACT_GELU_ERF, ", gelu erf")

static void turn_past_int(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_FAINT_SECOND;
    turn_sides(problem, 50000, 50000, 16);
    turn_end(problem, QUEST_ACT_RELU, true, true);
    name_regime(problem, ", bias, relu, Z saved");
}

static void turn_small(struct judge_case *problem)
{
    turn_sides(problem, 512, 512, 32);
    turn_end(problem, QUEST_ACT_SIGMOID, true, true);
    name_regime(problem, ", bias, sigmoid, Z saved");
}

#define LOOK_AT_END                                                                 \
    "look at what this activation, and an absent bias or Z, add to what the timed " \
    "call does: each end should be as short as GELU's, and Y moves once"
/* Also of what no blocks stand for: a volatile read of Y does that. */
#define END_SHARE 0.5

static const struct judge_regime REGIMES[] = {
    {"odd", .turn = turn_odd, .same_shape = true, .says = "odd sides and addresses are slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    /* In each of these, what a vector asks for fails in another way. */
    {"odd_m", .turn = turn_places, .same_shape = true, .less = {[M] = 1},
     .says = "an odd m is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_m", .turn = turn_places, .same_shape = true, .less = {[M] = 2},
     .says = "an m that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_n", .turn = turn_places, .same_shape = true, .less = {[N] = 1},
     .says = "an odd n is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_n", .turn = turn_places, .same_shape = true, .less = {[N] = 2},
     .says = "an n that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_k", .turn = turn_places, .same_shape = true, .less = {[K] = 1},
     .says = "an odd k is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_k", .turn = turn_places, .same_shape = true, .less = {[K] = 2},
     .says = "a k that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"two_off", .turn = turn_places, .same_shape = true, .less = {[M] = 2, [N] = 2, [K] = 2},
     .off = {[A] = 2, [B] = 2, [BIAS] = 2, [Y] = 2, [Z] = 2},
     .says = "sides and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"a_off", .turn = turn_places, .same_shape = true, .off = {[A] = 1},
     .says = "an odd address of A alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"b_off", .turn = turn_places, .same_shape = true, .off = {[B] = 1},
     .says = "an odd address of B alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"bias_off", .turn = turn_places, .same_shape = true, .off = {[BIAS] = 1},
     .says = "an odd address of bias alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"y_off", .turn = turn_places, .same_shape = true, .off = {[Y] = 1},
     .says = "an odd address of Y alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"z_off", .turn = turn_places, .same_shape = true, .off = {[Z] = 1},
     .says = "an odd address of Z alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"unlike", .turn = turn_places, .same_shape = true, .off = {[A] = 1, [Y] = 2},
     .says = "addresses that differ modulo 8 bytes are slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"tall", .turn = turn_tall, .says = "a tall Y is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"wide", .turn = turn_wide, .says = "a wide Y is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"long_k", .turn = turn_long_k, .says = "long sums are slow", .look_at = JUDGE_LOOK_AT_SUMS},
    {"no_end", .turn = turn_no_end, .share = END_SHARE, .same_shape = true,
     .says = "Y without activation is slow", .look_at = LOOK_AT_END},
    {"relu_end", .turn = turn_relu_end, .share = END_SHARE, .same_shape = true,
     .says = "relu is slow", .look_at = LOOK_AT_END},
    {"leaky_end", .turn = turn_leaky_end, .share = END_SHARE, .same_shape = true,
     .says = "leaky relu is slow", .look_at = LOOK_AT_END},
    {"sigmoid_end", .turn = turn_sigmoid_end, .share = END_SHARE, .same_shape = true,
     .says = "sigmoid is slow", .look_at = LOOK_AT_END},
    {"tanh_end", .turn = turn_tanh_end, .share = END_SHARE, .same_shape = true,
     .says = "tanh is slow", .look_at = LOOK_AT_END},
    {"erf_end", .turn = turn_erf_end, .share = END_SHARE, .same_shape = true,
     .says = "GELU by erf is slow", .look_at = LOOK_AT_END},
    {"past_int", .turn = turn_past_int, .says = "more than 2^31 elements are slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", .turn = turn_small, .share = JUDGE_SMALL_SHARE, .says = "a small product is slow",
     .look_at = JUDGE_LOOK_AT_SMALL},
};

const struct judge_regimes EPILOGUE_REGIMES = JUDGE_ROWS(REGIMES);
