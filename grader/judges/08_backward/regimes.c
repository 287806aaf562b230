/* regimes.c - lesson 8: calls that the timed case has no example of: other residues of sides and
 * other places, and long sums of few tiles. All blocks of each run, so most are smaller than the
 * timed case. */
#include "judges/08_backward/parts.h"
#include "judges/08_backward/problem.h"

#include <stdio.h>

/* A quarter or so of a side that what was taken from it leaves as it is modulo 4. */
static int64_t shorter(int64_t side, int64_t times)
{
    int64_t whole = (side + 3) / 4 * 4;
    return whole / times - (whole - side);
}

#define LOOK_AT_LONG_M                                                                          \
    "look at how many parts a sum of gB is cut into: the longer it is, and the fewer tiles gB " \
    "has, the more parts keep the device busy"

static void turn_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"gY", "A", "B", "Z", "gA", "gB", "gBias"};
    problem->size[M] = shorter(problem->size[M], 2);
    problem->size[N] = shorter(problem->size[N], 2);
    problem->size[K] = shorter(problem->size[K], 2);
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld, bias, gelu%s",
             (long long)problem->size[M], (long long)problem->size[N], (long long)problem->size[K],
             judge_places_text(problem, NAMES, BUFFERS).text);
}

/* gB is one tile, whose sums are all of m: what cuts them into a few parts, whatever their length,
 * leaves nearly all of the device idle. */
static void turn_long_m(struct judge_case *problem)
{
    problem->size[M] *= 64;
    problem->size[N] /= 32;
    problem->size[K] /= 32;
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld, bias, gelu",
             (long long)problem->size[M], (long long)problem->size[N], (long long)problem->size[K]);
}

/* In each of these, what a vector asks for fails in another way. */
static const struct judge_regime REGIMES[] = {
    {"odd", .turn = turn_places, .less = {[M] = 1, [N] = 1, [K] = 1}, .off = {1, 1, 1, 1, 1, 1, 1},
     .says = "odd sides and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"even_m", .turn = turn_places, .less = {[M] = 2},
     .says = "an m that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_n", .turn = turn_places, .less = {[N] = 1}, .says = "an odd n is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_n", .turn = turn_places, .less = {[N] = 2},
     .says = "an n that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_k", .turn = turn_places, .less = {[K] = 1}, .says = "an odd k is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_k", .turn = turn_places, .less = {[K] = 2},
     .says = "a k that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"two_off", .turn = turn_places, .less = {[M] = 2, [N] = 2, [K] = 2},
     .off = {2, 2, 2, 2, 2, 2, 2},
     .says = "sides and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"gy_z_off", .turn = turn_places, .off = {[GY] = 1, [Z] = 1},
     .says = "odd addresses of gY and Z alone are slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"a_off", .turn = turn_places, .off = {[A] = 1}, .says = "an odd address of A alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"b_off", .turn = turn_places, .off = {[B] = 1}, .says = "an odd address of B alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"ga_off", .turn = turn_places, .off = {[GA] = 1}, .says = "an odd address of gA alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"gb_off", .turn = turn_places, .off = {[GB] = 1, [GBIAS] = 1},
     .says = "odd addresses of gB and gBias alone are slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"long_m", .turn = turn_long_m, .whole_device = true,
     .says = "a long m with few columns is slow", .look_at = LOOK_AT_LONG_M},
};

const struct judge_regimes BACKWARD_REGIMES = JUDGE_ROWS(REGIMES);
