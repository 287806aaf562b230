/* drawn.c - lesson 2: what is drawn from the check's seed, small, large and in timed cases. */
#include "judges/02_tiling/parts.h"
#include "judges/02_tiling/problem.h"

#include <stdio.h>

/* Two sides that long have 2^34 elements: as many as are drawn. */
enum { MOST_OF_A_SIDE = 1 << 17 };

/* From least on, each size as often as twice that, and with side at most as many elements. */
static int64_t draw_other(uint64_t *seed, int64_t least, int64_t side)
{
    int64_t most = (INT64_C(1) << 34) / side;
    return judge_draw_size(seed, least, most < LESSON2_LARGEST_SIDE ? most : LESSON2_LARGEST_SIDE);
}

/* --- Transpose -------------------------------------------------------------------------------- */

static void transpose_name(struct judge_case *problem)
{
    snprintf(problem->name, sizeof problem->name, "transpose, %lld x %lld%s, drawn",
             (long long)problem->size[TRANSPOSE_ROWS], (long long)problem->size[TRANSPOSE_COLS],
             problem->data ? ", any bits" : "");
}

/* One of two sides alike in size, one of two that are not, and a middle one, whose sides may have
 * any size from 48 on: tiles of 32 and of 64 hang over shorter ones by more than they move, and a
 * few blocks that go through all of them would seem endless. */
static struct judge_case transpose_drawn(int which, uint64_t *seed)
{
    bool is_thin = which == 1, is_middle = which == 2, is_turned = judge_draw(seed, 0, 1);
    int64_t rows = is_middle ? judge_draw_size(seed, 48, 60000)
                   : is_thin ? judge_draw_size(seed, 2, 40)
                             : judge_draw_size(seed, 2, 300);
    int64_t cols = is_middle ? judge_draw(seed, JUDGE_MIDDLE_LEAST, JUDGE_MIDDLE_MOST) / rows
                   : is_thin ? judge_draw_size(seed, 301, 6000)
                             : judge_draw_size(seed, 2, 300);
    struct judge_case problem = TRANSPOSE_CASE("", is_turned ? cols : rows, is_turned ? rows : cols,
                                               .once = is_middle, .data = JUDGE_DATA_BITS);
    if (is_middle)
        judge_draw_pointers(seed, 2, false, &problem);
    transpose_name(&problem);
    return problem;
}

/* Larger: sides of whole float4 and pointers to them. */
static struct judge_case transpose_drawn_even(uint64_t *seed)
{
    int64_t rows = 4 * judge_draw_size(seed, 2500 / 4, MOST_OF_A_SIDE / 4);
    int64_t cols = 4 * judge_draw_size(seed, 2500 / 4, MOST_OF_A_SIDE / 4);
    struct judge_case problem = TRANSPOSE_CASE("", rows, cols, .data = JUDGE_DATA_BITS);
    transpose_name(&problem);
    return problem;
}

/* And any sides, between pointers that lie anywhere. */
static struct judge_case transpose_drawn_any(uint64_t *seed)
{
    int64_t a = judge_draw_size(seed, 2500, LESSON2_LARGEST_SIDE), b = draw_other(seed, 48, a);
    bool is_tall = judge_draw(seed, 0, 1);
    struct judge_case problem =
        TRANSPOSE_CASE("", is_tall ? a : b, is_tall ? b : a, .data = JUDGE_DATA_BITS);
    judge_draw_pointers(seed, 2, false, &problem);
    transpose_name(&problem);
    return problem;
}

/* --- Product ---------------------------------------------------------------------------------- */

/* The middle one takes as long as the transpose's, whose elements are moved and no more. */
static void sgemm_name(struct judge_case *problem)
{
    snprintf(problem->name, sizeof problem->name, "sgemm, %lld x %lld x %lld%s, drawn",
             (long long)problem->size[SGEMM_M], (long long)problem->size[SGEMM_N],
             (long long)problem->size[SGEMM_K],
             problem->data == JUDGE_DATA_SPARSE_SPECIALS ? ", some NaN"
             : problem->data == JUDGE_DATA_FAINT_SECOND  ? ", subnormal"
                                                         : "");
}

/* Sums longer than the list's, and now and then as long: one tile or two, which are not run again
 * and again. Not so long that a tile of 256 x 128, all of whose products are formed, is taken for
 * an endless loop. Those of integers show a product that is left out; the others, which are all
 * long, show parts that are added in the order in which they come. */
static struct judge_case sgemm_drawn_long(bool is_exact, uint64_t *seed)
{
    int64_t m = judge_draw(seed, 1, 32), n = judge_draw(seed, 1, 32);
    int64_t k = !is_exact                ? judge_draw(seed, 8192, 12288)
                : judge_draw(seed, 0, 3) ? judge_draw_size(seed, 4612, 12288)
                                         : judge_draw_size(seed, 801, 4611);
    struct judge_case problem =
        SGEMM_CASE("", m, n, k, .once = true, .data = is_exact ? JUDGE_DATA_INTEGERS : 0);
    judge_draw_pointers(seed, SGEMM_BUFFERS, judge_draw(seed, 0, 1), &problem);
    sgemm_name(&problem);
    return problem;
}

/* With special values and subnormal sums, many tiles and a long k, of whole float4. */
static struct judge_case sgemm_drawn_even(uint64_t *seed)
{
    int64_t m = judge_draw_size(seed, 600, MOST_OF_A_SIDE);
    int64_t n = 4 * judge_draw_size(seed, 600 / 4, MOST_OF_A_SIDE / 4);
    int64_t k = 4 * judge_draw(seed, 520 / 4, 800 / 4);
    struct judge_case problem = SGEMM_CASE("", m, n, k, .data = JUDGE_DATA_FAINT_SECOND);
    sgemm_name(&problem);
    return problem;
}

/* Sides of any size, with special values or with numbers of any size, of float4 by chance alone. */
static struct judge_case sgemm_drawn_any(uint64_t *seed)
{
    int64_t a = judge_draw_size(seed, 600, LESSON2_LARGEST_SIDE), b = draw_other(seed, 9, a);
    bool is_tall = judge_draw(seed, 0, 1), has_specials = judge_draw(seed, 0, 1);
    struct judge_case problem =
        SGEMM_CASE("", is_tall ? a : b, is_tall ? b : a, judge_draw_size(seed, 64, 800),
                   .data = has_specials ? JUDGE_DATA_SPARSE_SPECIALS : JUDGE_DATA_SCALED);
    judge_draw_pointers(seed, SGEMM_BUFFERS, false, &problem);
    sgemm_name(&problem);
    return problem;
}

/* One side so long that no axis of a grid but x has a block for each 8 of it. */
static struct judge_case sgemm_drawn_thin(bool is_tall, uint64_t *seed)
{
    int64_t lengthy = judge_draw(seed, 530000, 1000000), thin = judge_draw(seed, 1, 8);
    int64_t k = judge_draw(seed, 1, 12);
    struct judge_case problem = SGEMM_CASE("", is_tall ? lengthy : thin, is_tall ? thin : lengthy,
                                           k, .data = JUDGE_DATA_SPARSE_SPECIALS);
    judge_draw_pointers(seed, SGEMM_BUFFERS, false, &problem);
    sgemm_name(&problem);
    return problem;
}

static struct judge_case sgemm_drawn(bool is_middle, uint64_t *seed)
{
    int64_t m = judge_draw_size(seed, 2, 200), n = judge_draw_size(seed, 2, 200);
    int64_t k = judge_draw_size(seed, 2, 400);
    if (is_middle) {
        m = judge_draw(seed, 500, 1500);
        n = judge_draw(seed, 1 << 18, 1 << 19) / m;
        k = judge_draw(seed, 3, 40);
    }
    struct judge_case problem = SGEMM_CASE("", m, n, k, .once = is_middle,
                                           .data = judge_draw(seed, 0, 1) ? JUDGE_DATA_SCALED : 0);
    if (is_middle) {
        problem.data = JUDGE_DATA_SPARSE_SPECIALS;
        judge_draw_pointers(seed, SGEMM_BUFFERS, false, &problem);
    }
    sgemm_name(&problem);
    return problem;
}

/* --- Both ------------------------------------------------------------------------------------- */

/* Of each launcher two small ones and a middle one; and two with long sums. */
size_t tiling_draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < 8 && count < room; count++) {
        bool is_middle = count % 3 == 2;
        cases[count] = count < 3    ? transpose_drawn((int)count, &seed)
                       : count >= 6 ? sgemm_drawn_long(count == 6, &seed)
                                    : sgemm_drawn(is_middle, &seed);
    }
    return count;
}

/* Of each launcher one that float4 suits, and one of any sides; and thin products. */
size_t tiling_draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < 6 && count < room; count++) {
        cases[count] = count == 0   ? transpose_drawn_even(&seed)
                       : count == 1 ? transpose_drawn_any(&seed)
                       : count == 2 ? sgemm_drawn_even(&seed)
                       : count == 3 ? sgemm_drawn_any(&seed)
                                    : sgemm_drawn_thin(count % 2, &seed);
    }
    return count;
}

/* Up to an eighth fewer rows of the result: whole tiles of 128 in a GPU's case. Tiles of 128 x 256
 * take four waves of blocks all the same; with fewer rows that would be too slow by a fifth. Of any
 * bits, or with subnormal sums or sums of one product, which the timed case has no example of. */
void tiling_nearby(uint64_t seed, struct judge_case *problem)
{
    static const uint32_t FACTORS[] = {JUDGE_DATA_FAINT_FIRST, JUDGE_DATA_FAINT_SECOND,
                                       JUDGE_DATA_PICKS_FIRST, JUDGE_DATA_PICKS_SECOND};
    uint64_t drawn = judge_draw(&seed, 0, sizeof FACTORS / sizeof *FACTORS - 1);
    problem->data = problem->launcher == TRANSPOSE ? JUDGE_DATA_BITS : FACTORS[drawn];
    int side = problem->launcher == SGEMM ? SGEMM_M : TRANSPOSE_ROWS;
    problem->size[side] -= problem->size[side] / 32 * judge_draw(&seed, 1, 4);
}
