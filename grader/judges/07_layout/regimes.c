/* regimes.c - lesson 7: calls that the timed case has no example of: the other layouts, and other
 * shapes. Some have special values and subnormal sums, of which the timed case has none. */
#include "judges/07_layout/parts.h"
#include "judges/07_layout/problem.h"

#include <stdio.h>

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

#define LOOK_AT_LAYOUT                                                                        \
    "look at what reads or writes this layout: there too neighbouring lanes should read and " \
    "write neighbouring floats"

static const struct judge_regime REGIMES[] = {
    {"to_rows", .turn = turn_to_rows, .same_shape = true,
     .says = "Y as it is, not transposed, is "
             "slow",
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
     .says = "rows of Y with gaps between them are "
             "slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    {"odd", .turn = turn_odd, .same_shape = true, .says = "odd sides and addresses are slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    {"tall", .turn = turn_tall, .says = "a tall Y is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"wide", .turn = turn_wide, .says = "a wide Y is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"short_k", .turn = turn_short_k, .says = "short sums are slow",
     .look_at = "look at what comes after the sums: with so few products to add, it is most of "
                "the work"},
    {"past_int", .turn = turn_past_int, .says = "more than 2^31 elements are slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", .turn = turn_small, .share = JUDGE_SMALL_SHARE, .says = "a small product is slow",
     .look_at = JUDGE_LOOK_AT_SMALL},
};

const struct judge_regimes LAYOUT_REGIMES = JUDGE_ROWS(REGIMES);
