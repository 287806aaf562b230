/* regimes.c - lesson 7: calls that the timed case has no example of: the other layouts, and other
 * shapes. Some have special values and subnormal sums, of which the timed case has none. */
#include "judges/07_layout/parts.h"
#include "judges/07_layout/problem.h"

#include <stdio.h>
#include <string.h>

enum { FAR_ROWS = 3 };

static void turn_sides(struct judge_case *problem, int64_t m, int64_t n, int64_t k)
{
    problem->size[M] = m;
    problem->size[N] = n;
    problem->size[K] = k;
}

static void turn_layout(struct judge_case *problem, bool transpose_a, bool transpose_b,
                        bool y_transposed)
{
    problem->size[TRANSPOSE_A] = transpose_a;
    problem->size[TRANSPOSE_B] = transpose_b;
    problem->size[Y_TRANSPOSED] = y_transposed;
}

/* After all else is turned. */
static void name_regime(struct judge_case *problem)
{
    const int64_t *size = problem->size;
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld, ldy + %lld: A%s B%s to Y%s",
             (long long)size[M], (long long)size[N], (long long)size[K], (long long)size[LD_MORE],
             size[TRANSPOSE_A] ? "^T" : "", size[TRANSPOSE_B] ? "^T" : "",
             size[Y_TRANSPOSED] ? "^T" : "");
}

static void turn_to_rows(struct judge_case *problem)
{
    turn_layout(problem, true, false, false);
    name_regime(problem);
}

static void turn_plain(struct judge_case *problem)
{
    problem->size[WITH_BIAS] = false;
    turn_layout(problem, false, false, false);
    name_regime(problem);
}

static void turn_both(struct judge_case *problem)
{
    turn_layout(problem, true, true, true);
    name_regime(problem);
}

/* Neither operand has neighbours across: each is read along k. */
static void turn_along_k(struct judge_case *problem)
{
    turn_layout(problem, false, true, false);
    name_regime(problem);
}

static void turn_along_k_transposed(struct judge_case *problem)
{
    turn_layout(problem, false, true, true);
    name_regime(problem);
}

static void turn_gaps(struct judge_case *problem)
{
    problem->size[LD_MORE] = 3;
    name_regime(problem);
}

static void turn_odd(struct judge_case *problem)
{
    for (int side = M; side <= K; side++)
        problem->size[side] -= 1;
    for (int i = 0; i < BUFFERS; i++)
        problem->offset_bytes[i] = sizeof(float);
    name_regime(problem);
}

/* Of the residues that k has, but an eighth as long, since there are many of these. */
static void turn_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"A", "B", "bias", "Y"};
    problem->size[K] = problem->size[K] / 32 * 4 + problem->size[K] % 4;
    name_regime(problem);
    size_t used = strlen(problem->name);
    snprintf(problem->name + used, sizeof problem->name - used, "%s",
             judge_places_text(problem, NAMES, BUFFERS).text);
}

static void turn_plain_places(struct judge_case *problem)
{
    turn_layout(problem, false, false, false);
    turn_places(problem);
}

static void turn_both_places(struct judge_case *problem)
{
    turn_layout(problem, true, true, true);
    turn_places(problem);
}

/* As of a part of a wide matrix. */
static void turn_far(struct judge_case *problem)
{
    problem->size[LD_MORE] = FAR_ROWS * layout_row_length(problem);
    turn_places(problem);
}

static void turn_far_plain(struct judge_case *problem)
{
    turn_layout(problem, false, false, false);
    turn_far(problem);
}

static void turn_tall(struct judge_case *problem)
{
    turn_sides(problem, 50000, 256, 128);
    turn_layout(problem, true, true, false);
    name_regime(problem);
}

static void turn_wide(struct judge_case *problem)
{
    turn_sides(problem, 256, 50000, 128);
    turn_layout(problem, false, false, true);
    name_regime(problem);
}

/* With so short a k, what becomes of the sums is most of the work. */
static void turn_short_k(struct judge_case *problem)
{
    problem->size[K] = 16;
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    name_regime(problem);
}

static void turn_past_int(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_FAINT_SECOND;
    turn_sides(problem, 50000, 50000, 16);
    name_regime(problem);
}

static void turn_small(struct judge_case *problem)
{
    turn_sides(problem, 512, 512, 32);
    name_regime(problem);
}

#define LOOK_AT_LAYOUT                                                                         \
    "look at the code that reads or writes this layout: there too, neighbouring lanes should " \
    "read and write neighbouring floats"

#define LOOK_AT_ROWS \
    "look for a condition on ldy: the distance between rows changes only where each row begins"

static const struct judge_regime REGIMES[] = {
    {"to_rows", .turn = turn_to_rows, .same_shape = true, .says = "Y not transposed is slow",
     .look_at = LOOK_AT_LAYOUT},
    {"plain", .turn = turn_plain, .same_shape = true,
     .says = "a call that transposes nothing is "
             "slow",
     .look_at = LOOK_AT_LAYOUT},
    {"both", .turn = turn_both, .same_shape = true, .says = "both operands transposed are slow",
     .look_at = LOOK_AT_LAYOUT},
    {"along_k", .turn = turn_along_k, .same_shape = true, .says = "B transposed is slow",
     .look_at = LOOK_AT_LAYOUT},
    {"along_k_transposed", .turn = turn_along_k_transposed, .same_shape = true,
     .says = "B and Y transposed are slow", .look_at = LOOK_AT_LAYOUT},
    {"gaps", .turn = turn_gaps, .same_shape = true,
     .says = "rows of Y with gaps between them are slow", .look_at = LOOK_AT_ROWS},
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
     .off = {[A] = 2, [B] = 2, [BIAS] = 2, [Y] = 2},
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
    {"even_gaps", .turn = turn_places, .same_shape = true, .less = {[LD_MORE] = -2},
     .says = "gaps that 2 divides and 4 does not are slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"far_rows", .turn = turn_far, .same_shape = true,
     .says = "rows of Y that lie far apart are slow", .look_at = LOOK_AT_ROWS},
    {"far_plain_rows", .turn = turn_far_plain, .same_shape = true,
     .says = "rows of Y that lie far apart and are not transposed are slow",
     .look_at = LOOK_AT_ROWS},
    {"plain_odd", .turn = turn_plain_places, .same_shape = true,
     .less = {[M] = 1, [N] = 1, [K] = 1}, .says = "odd sides are slow where nothing is transposed",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"plain_even", .turn = turn_plain_places, .same_shape = true,
     .less = {[M] = 2, [N] = 2, [K] = 2}, .says = "even sides are slow where nothing is transposed",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"both_odd", .turn = turn_both_places, .same_shape = true, .less = {[M] = 1, [N] = 1, [K] = 1},
     .says = "odd sides are slow where both operands are transposed",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"both_even", .turn = turn_both_places, .same_shape = true, .less = {[M] = 2, [N] = 2, [K] = 2},
     .says = "even sides are slow where both operands are transposed",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"unlike", .turn = turn_places, .same_shape = true, .off = {[A] = 1, [Y] = 2},
     .says = "addresses that differ modulo 8 bytes are slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"tall", .turn = turn_tall, .says = "a tall Y is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"wide", .turn = turn_wide, .says = "a wide Y is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"short_k", .turn = turn_short_k, .says = "short sums are slow",
     .look_at = "look at the code after the sums: with so few products to add, it is most of the "
                "work"},
    {"past_int", .turn = turn_past_int, .says = "more than 2^31 elements are slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", .turn = turn_small, .share = JUDGE_SMALL_SHARE, .says = "a small product is slow",
     .look_at = JUDGE_LOOK_AT_SMALL},
};

const struct judge_regimes LAYOUT_REGIMES = JUDGE_ROWS(REGIMES);
