/* regimes.c - lesson 5: calls that the timed cases have no example of, of either pass. */
#include "judges/05_dropout/parts.h"
#include "judges/05_dropout/problem.h"

#include <stdio.h>

#define LOOK_AT_P                                                                               \
    "look at what a dropped element costs, and what a kept one costs: they should differ by a " \
    "select only"

static void name_regime(struct judge_case *problem, const char *text)
{
    snprintf(problem->name, sizeof problem->name, "n = %lld%s%s", (long long)problem->size[N],
             problem->launcher == BACKWARD ? ", backward" : "", text);
}

static void turn_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"x", "y"};
    name_regime(problem, judge_places_text(problem, NAMES, 2).text);
}

static void turn_odd(struct judge_case *problem)
{
    problem->size[N] -= 1;
    problem->offset_bytes[X] = problem->offset_bytes[Y] = ONE_FLOAT;
    problem->alias = IN_PLACE;
    name_regime(problem, ", in place, one off");
}

static void turn_in_place(struct judge_case *problem)
{
    problem->alias = IN_PLACE;
    name_regime(problem, ", in place");
}

static void turn_past_unsigned(struct judge_case *problem)
{
    problem->size[N] = (INT64_C(1) << 32) + (1 << 20);
    name_regime(problem, "");
}

/* About half of a warp's 32 lanes take each side of a branch. */
static void turn_half_dropped(struct judge_case *problem)
{
    problem->real[P] = 0.5;
    name_regime(problem, ", p = 0.5");
}

static void turn_most_dropped(struct judge_case *problem)
{
    problem->real[P] = 0.999F;
    name_regime(problem, ", p = 0.999");
}

/* Between the small cases and the timed one. */
static void turn_medium(struct judge_case *problem)
{
    problem->size[N] = 1 << 23;
    name_regime(problem, "");
}

static void turn_small(struct judge_case *problem)
{
    problem->size[N] = 1 << 16;
    name_regime(problem, "");
}

static const struct judge_regime REGIMES[] = {
    {"odd", .turn = turn_odd, .same_shape = true, .says = "odd sizes and addresses are slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    /* In each of these, what a vector asks for fails in another way. */
    {"odd_n", .turn = turn_places, .same_shape = true, .less = {[N] = 1},
     .says = "an odd n is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_n", .turn = turn_places, .same_shape = true, .less = {[N] = 2},
     .says = "an n that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"all_off", .turn = turn_places, .same_shape = true, .off = {[X] = 1, [Y] = 1},
     .says = "odd addresses that are equal modulo 16 bytes are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"two_off", .turn = turn_places, .same_shape = true, .less = {[N] = 2},
     .off = {[X] = 2, [Y] = 2},
     .says = "sizes and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"x_off", .turn = turn_places, .same_shape = true, .off = {[X] = 1},
     .says = "an odd address of x alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"y_off", .turn = turn_places, .same_shape = true, .off = {[Y] = 1},
     .says = "an odd address of y alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"x_two_off", .turn = turn_places, .same_shape = true, .off = {[X] = 2},
     .says = "x alone at a multiple of 8 bytes but not of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"y_two_off", .turn = turn_places, .same_shape = true, .off = {[Y] = 2},
     .says = "y alone at a multiple of 8 bytes but not of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"unlike", .turn = turn_places, .same_shape = true, .less = {[N] = 2},
     .off = {[X] = 1, [Y] = 2}, .says = "addresses that differ modulo 8 bytes are slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"in_place", .turn = turn_in_place, .same_shape = true, .share = JUDGE_SAME_CODE_SHARE,
     .says = "a call in place is slow", .look_at = JUDGE_LOOK_AT_IN_PLACE},
    {"half_dropped", .turn = turn_half_dropped, .same_shape = true, .share = JUDGE_SAME_CODE_SHARE,
     .says = "p = 0.5 is slow", .look_at = LOOK_AT_P},
    {"most_dropped", .turn = turn_most_dropped, .same_shape = true, .share = JUDGE_SAME_CODE_SHARE,
     .says = "p = 0.999 is slow", .look_at = LOOK_AT_P},
    {"past_unsigned", .turn = turn_past_unsigned, .share = JUDGE_SAME_CODE_SHARE,
     .says = "more than 2^32 elements are slow", .look_at = JUDGE_LOOK_AT_SIZE},
    {"medium", .turn = turn_medium, .share = JUDGE_SAME_CODE_SHARE, .says = "a medium size is slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", .turn = turn_small, .share = JUDGE_SMALL_SHARE, .says = "a small problem is slow",
     .look_at = JUDGE_LOOK_AT_SMALL},
};

const struct judge_regimes DROPOUT_REGIMES = JUDGE_ROWS(REGIMES);
