/* regimes.c - lesson 2: calls that the timed cases have no example of, of either launcher. */
#include "judges/02_tiling/parts.h"
#include "judges/02_tiling/problem.h"

#include <stdio.h>

/* The reference's small tile is only 1.6 times as fast as an element a thread: enough for guards at
 * every load (0.83). */
#define SGEMM_SHARE JUDGE_MOST_SHARE

static void transpose_turn(struct judge_case *problem, int64_t rows, int64_t cols, const char *text)
{
    problem->size[TRANSPOSE_ROWS] = rows;
    problem->size[TRANSPOSE_COLS] = cols;
    problem->data = JUDGE_DATA_BITS;
    snprintf(problem->name, sizeof problem->name, "transpose, %lld x %lld%s", (long long)rows,
             (long long)cols, text);
}

static void transpose_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"in", "out"};
    transpose_turn(problem, problem->size[TRANSPOSE_ROWS], problem->size[TRANSPOSE_COLS],
                   judge_places_text(problem, NAMES, 2).text);
}

/* Sides that no float4 divides. */
static void transpose_odd(struct judge_case *problem)
{
    problem->offset_bytes[TRANSPOSE_IN] = problem->offset_bytes[TRANSPOSE_OUT] = sizeof(float);
    transpose_turn(problem, problem->size[TRANSPOSE_ROWS] - 1, problem->size[TRANSPOSE_COLS] + 1,
                   ", one element off");
}

/* One tile of 32, half of one of 64. */
static void transpose_few_long_rows(struct judge_case *problem)
{
    transpose_turn(problem, 32, LESSON2_LARGEST_SIDE, "");
}

static void transpose_many_short_rows(struct judge_case *problem)
{
    transpose_turn(problem, LESSON2_LARGEST_SIDE, 32, "");
}

static void transpose_past_int(struct judge_case *problem)
{
    transpose_turn(problem, 50000, 50000, "");
}

static void transpose_small(struct judge_case *problem)
{
    transpose_turn(problem, 256, 256, "");
}

static void sgemm_turn(struct judge_case *problem, int64_t m, int64_t n, int64_t k,
                       const char *text)
{
    problem->size[SGEMM_M] = m;
    problem->size[SGEMM_N] = n;
    problem->size[SGEMM_K] = k;
    snprintf(problem->name, sizeof problem->name, "sgemm, %lld x %lld x %lld%s", (long long)m,
             (long long)n, (long long)k, text);
}

/* Of the residues that k has, but a sixteenth as long, since there are many of these. */
static void sgemm_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"A", "B", "C"};
    sgemm_turn(problem, problem->size[SGEMM_M], problem->size[SGEMM_N],
               problem->size[SGEMM_K] / 64 * 4 + problem->size[SGEMM_K] % 4,
               judge_places_text(problem, NAMES, SGEMM_BUFFERS).text);
}

/* As many blocks, whose sums are a quarter as long: all sides odd. */
static void sgemm_odd(struct judge_case *problem)
{
    for (int i = 0; i < SGEMM_BUFFERS; i++)
        problem->offset_bytes[i] = sizeof(float);
    sgemm_turn(problem, problem->size[SGEMM_M] - 1, problem->size[SGEMM_N] - 1,
               problem->size[SGEMM_K] / 4 - 1, ", one element off");
}

static void sgemm_tall(struct judge_case *problem)
{
    sgemm_turn(problem, 200000, 64, 64, "");
}

static void sgemm_wide(struct judge_case *problem)
{
    sgemm_turn(problem, 64, 200000, 64, "");
}

/* Longer than the timed one, and enough tiles for the device. */
static void sgemm_long_k(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_FAINT_SECOND;
    sgemm_turn(problem, 1024, 1024, 5000, "");
}

static void sgemm_past_int(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_FAINT_SECOND;
    sgemm_turn(problem, 50000, 50000, 32, "");
}

/* So short a k that the launch takes most of the time, in tiles or not. */
static void sgemm_small(struct judge_case *problem)
{
    sgemm_turn(problem, 256, 256, 16, "");
}

static const struct judge_regime REGIMES[] = {
    {"odd", 1 << TRANSPOSE, transpose_odd, .same_shape = true,
     .says = "odd sides and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},
    /* In each of these, what a vector asks for fails in another way. */
    {"odd_rows", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .less = {[TRANSPOSE_ROWS] = 1}, .says = "an odd number of rows is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_rows", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .less = {[TRANSPOSE_ROWS] = 2}, .says = "rows that 2 divides and 4 does not are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_cols", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .less = {[TRANSPOSE_COLS] = 1}, .says = "an odd number of cols is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_cols", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .less = {[TRANSPOSE_COLS] = 2}, .says = "cols that 2 divides and 4 does not are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"two_off", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .less = {[TRANSPOSE_ROWS] = 2, [TRANSPOSE_COLS] = 2},
     .off = {[TRANSPOSE_IN] = 2, [TRANSPOSE_OUT] = 2},
     .says = "sides and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"in_off", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .off = {[TRANSPOSE_IN] = 1}, .says = "an odd address of in alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"in_two_off", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .off = {[TRANSPOSE_IN] = 2}, .says = "in alone at a multiple of 8 bytes but not of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"out_off", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .off = {[TRANSPOSE_OUT] = 1}, .says = "an odd address of out alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"out_two_off", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .off = {[TRANSPOSE_OUT] = 2},
     .says = "out alone at a multiple of 8 bytes but not of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"unlike", .launchers = 1 << TRANSPOSE, .turn = transpose_places, .same_shape = true,
     .off = {[TRANSPOSE_IN] = 1, [TRANSPOSE_OUT] = 2},
     .says = "addresses that differ modulo 8 bytes are slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"few_long_rows", 1 << TRANSPOSE, transpose_few_long_rows, .says = "few long rows are slow",
     .look_at = JUDGE_LOOK_AT_THIN},
    {"many_short_rows", 1 << TRANSPOSE, transpose_many_short_rows,
     .says = "many short rows are slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"past_int", 1 << TRANSPOSE, transpose_past_int, .says = "more than 2^31 elements are slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", 1 << TRANSPOSE, transpose_small, .share = JUDGE_SMALL_SHARE,
     .says = "a small matrix is slow", .look_at = JUDGE_LOOK_AT_SMALL},
    {"odd", 1 << SGEMM, sgemm_odd, .same_shape = true, .share = SGEMM_SHARE,
     .says = "odd sides and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"odd_m", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .less = {[SGEMM_M] = 1}, .says = "an odd m is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_m", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .less = {[SGEMM_M] = 2},
     .says = "an m that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_n", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .less = {[SGEMM_N] = 1}, .says = "an odd n is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_n", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .less = {[SGEMM_N] = 2},
     .says = "an n that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_k", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .less = {[SGEMM_K] = 1}, .says = "an odd k is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_k", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .less = {[SGEMM_K] = 2},
     .says = "a k that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"two_off", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .less = {[SGEMM_M] = 2, [SGEMM_N] = 2, [SGEMM_K] = 2},
     .off = {[SGEMM_A] = 2, [SGEMM_B] = 2, [SGEMM_C] = 2},
     .says = "sides and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"a_off", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .off = {[SGEMM_A] = 1}, .says = "an odd address of A alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"b_off", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .off = {[SGEMM_B] = 1}, .says = "an odd address of B alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"c_off", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .off = {[SGEMM_C] = 1}, .says = "an odd address of C alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"unlike", .launchers = 1 << SGEMM, .turn = sgemm_places, .same_shape = true,
     .share = SGEMM_SHARE, .off = {[SGEMM_A] = 1, [SGEMM_B] = 2, [SGEMM_C] = 3},
     .says = "addresses that differ modulo 8 bytes are slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"tall", 1 << SGEMM, sgemm_tall, .says = "a tall C is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"wide", 1 << SGEMM, sgemm_wide, .says = "a wide C is slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"long_k", 1 << SGEMM, sgemm_long_k, .says = "long sums are slow",
     .look_at = JUDGE_LOOK_AT_SUMS},
    {"past_int", 1 << SGEMM, sgemm_past_int, .says = "more than 2^31 elements are slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", 1 << SGEMM, sgemm_small, .share = JUDGE_SMALL_SHARE,
     .says = "a small product is slow", .look_at = JUDGE_LOOK_AT_SMALL},
};

const struct judge_regimes TILING_REGIMES = JUDGE_ROWS(REGIMES);
