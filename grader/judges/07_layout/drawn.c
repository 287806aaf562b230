/* drawn.c - lesson 7: what is drawn from the check's seed, small, large and in timed cases. */
#include "judges/07_layout/parts.h"
#include "judges/07_layout/problem.h"

#include <stdio.h>

static void name_drawn(struct judge_case *problem)
{
    const int64_t *size = problem->size;
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld, ldy + %lld: %s%s%s, drawn",
             (long long)size[M], (long long)size[N], (long long)size[K], (long long)size[LD_MORE],
             size[TRANSPOSE_A] ? "A^T " : "A ", size[TRANSPOSE_B] ? "B^T to " : "B to ",
             size[Y_TRANSPOSED] ? "Y^T" : "Y");
}

/* One of the eight layouts, by its number. */
static void set_layout(int64_t layout, struct judge_case *problem)
{
    problem->size[TRANSPOSE_A] = layout & 1;
    problem->size[TRANSPOSE_B] = layout >> 1 & 1;
    problem->size[Y_TRANSPOSED] = layout >> 2 & 1;
}

enum { LAYOUTS = 8 };

/* What small cases are for: uniform data; exact sums, which are longer; and many tiles, with
 * special values among their elements. */
enum { UNIFORM, EXACT, MIDDLE, SMALL_CASES };

static void draw_sides(size_t which, uint64_t *seed, int64_t size[JUDGE_SIZES])
{
    int64_t side = which == EXACT ? 50 : 200;
    bool is_middle = which == MIDDLE;
    size[M] = is_middle ? judge_draw(seed, 300, 900) : judge_draw_size(seed, 2, side);
    size[N] =
        is_middle ? judge_draw(seed, 1 << 17, 1 << 18) / size[M] : judge_draw_size(seed, 2, side);
    size[K] = is_middle        ? judge_draw(seed, 1, 16)
              : which == EXACT ? judge_draw_size(seed, 101, 600)
                               : judge_draw_size(seed, 1, 100);
    size[LD_MORE] = judge_draw(seed, 0, 1) ? judge_draw_size(seed, 1, 40) : 0;
}

/* Where Y is aligned, every second gap ends where a float4 may begin, wherever the row ends. */
static void draw_gap(uint64_t *seed, struct judge_case *problem)
{
    bool is_even = judge_draw(seed, 0, 1);
    if (!problem->size[LD_MORE] || !is_even)
        return;
    problem->size[LD_MORE] += (4 - layout_ld(problem) % 4) % 4;
    problem->offset_bytes[Y] = 0;
}

/* Any sides and leading dimension; of the layouts, one that is drawn and others far from it. */
size_t layout_draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    static const enum judge_data DATA[SMALL_CASES] = {[UNIFORM] = JUDGE_DATA_UNIFORM,
                                                      [EXACT] = JUDGE_DATA_INTEGERS,
                                                      [MIDDLE] = JUDGE_DATA_SPARSE_SPECIALS};
    size_t count = 0;
    int64_t layout = judge_draw(&seed, 0, LAYOUTS - 1);
    for (; count < SMALL_CASES && count < room; count++) {
        struct judge_case *problem = &cases[count];
        *problem = (struct judge_case){.data = DATA[count], .once = count == MIDDLE};
        draw_sides(count, &seed, problem->size);
        set_layout((layout + 3 * (int64_t)count) % LAYOUTS, problem);
        problem->size[WITH_BIAS] = judge_draw(&seed, 0, 1);
        judge_draw_pointers(&seed, BUFFERS, false, problem);
        draw_gap(&seed, problem);
        name_drawn(problem);
    }
    return count;
}

/* Sides of the large cases, in turn: both long; one of any length; and thin, with a longer side for
 * which only the x axis of a grid has room for one block for each 8. Both are whole units. */
static void draw_large_sides(size_t turn, int64_t unit, uint64_t *seed, int64_t size[JUDGE_SIZES])
{
    enum { BOTH, TALL = 2, WIDE = 4, LONG_ROWS, LONG_COLUMNS, MOST_BOTH = 66000 };
    int64_t m = judge_draw_size(seed, 1000, 8000), n = judge_draw_size(seed, 1000, 8000);
    size[K] = judge_draw(seed, 1, 12);
    if (turn == BOTH) {
        m = judge_draw_size(seed, 8000, MOST_BOTH);
        n = judge_draw_size(seed, 8000, MOST_BOTH);
        size[K] = judge_draw(seed, 1, 2);
    } else if (turn == TALL || turn == WIDE) {
        int64_t longer = judge_draw(seed, 530000, 620000), shorter = judge_draw(seed, 1, 8);
        m = turn == TALL ? longer : shorter;
        n = turn == TALL ? shorter : longer;
    } else if (turn == LONG_ROWS) {
        m = judge_draw_size(seed, 9, 1000);
        n = judge_draw_size(seed, 8000, 530000);
    } else if (turn == LONG_COLUMNS) {
        m = judge_draw_size(seed, 8000, 530000);
        n = judge_draw_size(seed, 9, 1000);
    }
    size[M] = (m + unit - 1) / unit * unit;
    size[N] = (n + unit - 1) / unit * unit;
}

/* Each layout where m and n are large, in an order that is drawn; every other one with sides of
 * whole float4 and pointers to them. */
size_t layout_draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    int64_t layout = judge_draw(&seed, 0, LAYOUTS - 1), bias = judge_draw(&seed, 0, 1);
    for (; count < LAYOUTS && count < room; count++) {
        struct judge_case *problem = &cases[count];
        bool is_wide = count % 2;
        *problem = (struct judge_case){.data = JUDGE_DATA_SPARSE_SPECIALS};
        problem->size[WITH_BIAS] = ((int64_t)count / 2 + bias) & 1;
        draw_large_sides(count, is_wide ? 4 : 1, &seed, problem->size);
        if (count == 0) /* rows so long that gaps are a small part */
            problem->size[LD_MORE] = judge_draw(&seed, 0, 40);
        set_layout((layout + 3 * (int64_t)count) % LAYOUTS, problem);
        if (!is_wide)
            judge_draw_pointers(&seed, BUFFERS, false, problem);
        name_drawn(problem);
    }
    return count;
}

/* One or two tiles of 128 rows less in a GPU's case, and half as much in the simulated device's;
 * and special values. */
void layout_nearby(uint64_t seed, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    problem->size[M] -= problem->size[M] / 16 * judge_draw(&seed, 1, 2);
}
