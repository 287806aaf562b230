/* regimes.c - lesson 2: calls that the timed cases have no example of, of either launcher. */
#include "judges/02_tiling/parts.h"
#include "judges/02_tiling/problem.h"

#include <stdio.h>

static void transpose_turn(struct judge_case *problem, int64_t rows, int64_t cols, const char *text)
{
    problem->size[TRANSPOSE_ROWS] = rows;
    problem->size[TRANSPOSE_COLS] = cols;
    problem->data = JUDGE_DATA_BITS;
    snprintf(problem->name, sizeof problem->name, "transpose, %lld x %lld%s", (long long)rows,
             (long long)cols, text);
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
    {"few_long_rows", 1 << TRANSPOSE, transpose_few_long_rows, .says = "few long rows are slow",
     .look_at = JUDGE_LOOK_AT_THIN},
    {"many_short_rows", 1 << TRANSPOSE, transpose_many_short_rows,
     .says = "many short rows are slow", .look_at = JUDGE_LOOK_AT_THIN},
    {"past_int", 1 << TRANSPOSE, transpose_past_int, .says = "more than 2^31 elements are slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", 1 << TRANSPOSE, transpose_small, .share = JUDGE_SMALL_SHARE,
     .says = "a small matrix is slow", .look_at = JUDGE_LOOK_AT_SMALL},
    {"odd", 1 << SGEMM, sgemm_odd, .same_shape = true, .says = "odd sides and addresses are slow",
     .look_at = JUDGE_LOOK_AT_ODD},
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
