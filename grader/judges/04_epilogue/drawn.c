/* drawn.c - lesson 4: what is drawn from the check's seed, small, large and in timed cases. */
#include "judges/04_epilogue/parts.h"
#include "judges/04_epilogue/problem.h"

#include <math.h>
#include <stdio.h>

static double slope_drawn(uint64_t *seed)
{
    return ldexp(judge_draw_float(seed), (int)judge_draw(seed, -12, 2));
}

/* The slope of leaky relu: in three draws of four from 2^-13 to 2^3, else any float. Then sums are
 * exact: beside a slope past any number, the sign of one that is nearly 0 decides everything. No
 * other activation uses a slope; if one does, that shows. */
static void draw_slope(struct judge_case *problem, uint64_t *seed)
{
    double slope = slope_drawn(seed);
    double any = judge_draw_any_float(seed);
    bool is_any = judge_draw(seed, 0, 3) == 0,
         is_leaky = problem->size[ACTIVATION] == QUEST_ACT_LEAKY_RELU;
    problem->real[SLOPE] = !is_leaky ? NAN : is_any ? any : slope;
    if (is_leaky && is_any)
        problem->data = JUDGE_DATA_SIXTEENTHS;
}

static void name_drawn(struct judge_case *problem)
{
    static const char *const NAMES[ACTIVATIONS] = {
        [QUEST_ACT_NONE] = "none",          [QUEST_ACT_RELU] = "relu",
        [QUEST_ACT_LEAKY_RELU] = "leaky",   [QUEST_ACT_SIGMOID] = "sigmoid",
        [QUEST_ACT_TANH] = "tanh",          [QUEST_ACT_GELU_ERF] = "gelu",
        [QUEST_ACT_GELU_TANH] = "gelu tanh"};
    const int64_t *size = problem->size;
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld, %s%s%s, drawn",
             (long long)size[M], (long long)size[N], (long long)size[K], NAMES[size[ACTIVATION]],
             size[WITH_BIAS] ? ", bias" : "", size[SAVE_Z] ? ", Z" : "");
}

/* One of the activations that the contract allows to be off by some units of 1. */
static int64_t curved_drawn(uint64_t *seed)
{
    static const enum quest_activation CURVED[] = {QUEST_ACT_SIGMOID, QUEST_ACT_TANH,
                                                   QUEST_ACT_GELU_ERF, QUEST_ACT_GELU_TANH};
    return CURVED[judge_draw(seed, 0, 3)];
}

/* What small cases are for: a slope that is needed; exact sums, short and long, so that the
 * activation has to be right whatever k is; and many tiles, with special values among their
 * elements. */
enum { SLOPED, EXACT, LENGTHY, MIDDLE, SMALL_CASES };

static void draw_sides(size_t which, uint64_t *seed, int64_t size[JUDGE_SIZES])
{
    int64_t side = which == LENGTHY ? 50 : 200;
    bool is_middle = which == MIDDLE;
    size[M] = is_middle ? judge_draw(seed, 300, 900) : judge_draw_size(seed, 2, side);
    size[N] =
        is_middle ? judge_draw(seed, 1 << 17, 1 << 18) / size[M] : judge_draw_size(seed, 2, side);
    size[K] = is_middle          ? judge_draw(seed, 1, 16)
              : which == LENGTHY ? judge_draw_size(seed, 101, 600)
                                 : judge_draw_size(seed, 1, 100);
}

/* Any activation and any flags. */
size_t epilogue_draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    static const enum judge_data DATA[SMALL_CASES] = {[SLOPED] = JUDGE_DATA_UNIFORM,
                                                      [EXACT] = JUDGE_DATA_SIXTEENTHS,
                                                      [LENGTHY] = JUDGE_DATA_SIXTEENTHS,
                                                      [MIDDLE] = JUDGE_DATA_SPARSE_SPECIALS};
    size_t count = 0;
    for (; count < SMALL_CASES && count < room; count++) {
        struct judge_case *problem = &cases[count];
        *problem = (struct judge_case){.data = DATA[count], .once = count == MIDDLE};
        draw_sides(count, &seed, problem->size);
        problem->size[ACTIVATION] = count == SLOPED ? QUEST_ACT_LEAKY_RELU
                                    : count == MIDDLE
                                        ? judge_draw(&seed, QUEST_ACT_NONE, QUEST_ACT_GELU_TANH)
                                        : curved_drawn(&seed);
        problem->size[WITH_BIAS] = judge_draw(&seed, 0, 1);
        problem->size[SAVE_Z] = judge_draw(&seed, 0, 1);
        draw_slope(problem, &seed);
        judge_draw_pointers(&seed, BUFFERS, false, problem);
        name_drawn(problem);
    }
    return count;
}

/* Sides of the large cases, in turn: both long; one of any length; and thin, with a longer side for
 * which only the x axis of a grid has room for one block for each 8. Columns are whole units. */
static void draw_large_sides(size_t turn, int64_t unit, uint64_t *seed, int64_t size[JUDGE_SIZES])
{
    enum { BOTH, TALL = 2, WIDE = 4, LONG_ROWS, LONG_COLUMNS, MOST_BOTH = 66000 };
    size[M] = judge_draw_size(seed, 1000, 8000);
    size[N] = unit * judge_draw_size(seed, 1000 / unit, 8000 / unit);
    size[K] = judge_draw(seed, 1, 12);
    if (turn == BOTH) {
        size[M] = judge_draw_size(seed, 8000, MOST_BOTH);
        size[N] = judge_draw_size(seed, 8000, MOST_BOTH);
        size[K] = judge_draw(seed, 1, 2);
    } else if (turn == TALL || turn == WIDE) {
        size[turn == TALL ? M : N] = judge_draw(seed, 530000, 620000);
        size[turn == TALL ? N : M] = judge_draw(seed, 1, 8);
    } else if (turn == LONG_ROWS) {
        size[M] = judge_draw_size(seed, 9, 1000);
        size[N] = unit * judge_draw_size(seed, 8000 / unit, 530000 / unit);
    } else if (turn == LONG_COLUMNS) {
        size[M] = judge_draw_size(seed, 8000, 530000);
        size[N] = judge_draw_size(seed, 9, 1000);
    }
}

/* The activation of each turn. Three of them have special values only here: theirs are the turns
 * in which both sides are long. Regimes and the timed case's neighbour have the others. */
static void draw_activations(uint64_t *seed, enum quest_activation turns[ACTIVATIONS])
{
    static const enum quest_activation LONG[] = {QUEST_ACT_LEAKY_RELU, QUEST_ACT_SIGMOID,
                                                 QUEST_ACT_TANH},
                                       OTHERS[] = {QUEST_ACT_NONE, QUEST_ACT_RELU,
                                                   QUEST_ACT_GELU_ERF, QUEST_ACT_GELU_TANH};
    enum { LONGS = sizeof LONG / sizeof *LONG, REST = sizeof OTHERS / sizeof *OTHERS };
    static const size_t LONG_TURNS[LONGS] = {0, 1, 3}, OTHER_TURNS[REST] = {2, 4, 5, 6};
    size_t first = (size_t)judge_draw(seed, 0, LONGS - 1), other = (size_t)judge_draw(seed, 0, 3);
    for (size_t i = 0; i < LONGS; i++)
        turns[LONG_TURNS[i]] = LONG[(first + i) % LONGS];
    for (size_t i = 0; i < REST; i++)
        turns[OTHER_TURNS[i]] = OTHERS[(other + i) % REST];
}

/* Each activation where m and n are large, with all four pairs of flags; every other one with rows
 * of whole float4 and pointers to them. Of those that are curved and thin, some have sums that are
 * exact. */
size_t epilogue_draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum quest_activation turns[ACTIVATIONS];
    int64_t flags = judge_draw(&seed, 0, 3);
    draw_activations(&seed, turns);
    size_t count = 0;
    for (; count < ACTIVATIONS && count < room; count++) {
        struct judge_case *problem = &cases[count];
        bool is_wide = count % 2;
        int64_t pair = (int64_t)count / 2 + flags;
        enum quest_activation activation = turns[count];
        bool may_be_exact = activation == QUEST_ACT_GELU_ERF || activation == QUEST_ACT_GELU_TANH;
        *problem = (struct judge_case){
            .size = {[ACTIVATION] = activation, [WITH_BIAS] = pair & 1, [SAVE_Z] = pair >> 1 & 1},
            .data = JUDGE_DATA_SPARSE_SPECIALS};
        draw_large_sides(count, is_wide ? 4 : 1, &seed, problem->size);
        draw_slope(problem, &seed);
        if (judge_draw(&seed, 0, 1) && may_be_exact)
            problem->data = JUDGE_DATA_SIXTEENTHS;
        if (!is_wide)
            judge_draw_pointers(&seed, BUFFERS, false, problem);
        name_drawn(problem);
    }
    return count;
}

/* A launcher that compares a timed call's arguments with those of the call before must find them
 * equal, which a NaN is not. */
void epilogue_redraw(uint64_t seed, struct judge_case *problem)
{
    if (problem->size[ACTIVATION] == QUEST_ACT_LEAKY_RELU)
        draw_slope(problem, &seed);
    else
        problem->real[SLOPE] = slope_drawn(&seed);
}

/* Fewer rows: whole tiles of 128 in a GPU's case; and special values. */
void epilogue_nearby(uint64_t seed, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    problem->size[M] -= problem->size[M] / 32 * judge_draw(&seed, 1, 2);
}
