/* drawn.h - lesson 4: what is drawn from the check's seed, small, large and in timed cases. */
#ifndef JUDGE_EPILOGUE_DRAWN_H
#define JUDGE_EPILOGUE_DRAWN_H

#include "judges/04_epilogue/problem.h"

#include <stdio.h>

/* Only leaky relu has one: what others do with it shows. */
static double slope_drawn(int64_t activation, uint64_t *seed)
{
    double slope = judge_draw_float(seed);
    return activation == QUEST_ACT_LEAKY_RELU ? slope : NAN;
}

static void name_drawn(struct judge_case *problem)
{
    static const char *const NAMES[ACTIVATIONS] = {
        [QUEST_ACT_NONE] = "none", [QUEST_ACT_RELU] = "relu", [QUEST_ACT_LEAKY_RELU] = "leaky",
        [QUEST_ACT_SIGMOID] = "sigmoid", [QUEST_ACT_TANH] = "tanh", [QUEST_ACT_GELU_ERF] = "gelu",
        [QUEST_ACT_GELU_TANH] = "gelu by tanh"};
    const int64_t *size = problem->size;
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld, %s%s%s, drawn",
             (long long)size[M], (long long)size[N], (long long)size[K], NAMES[size[ACTIVATION]],
             size[WITH_BIAS] ? ", bias" : "", size[SAVE_Z] ? ", Z" : "");
}

/* Any activation and any flags; and a slope that is drawn, in a case that is sure to need it. The
 * third one has long sums, the last one many tiles, and special values among its elements. */
static size_t draw_cases(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { LENGTHY = 2, SMALL = 3 };
    size_t count = 0;
    for (; count <= SMALL && count < room; count++) {
        bool is_middle = count == SMALL, is_lengthy = count == LENGTHY;
        int64_t side = is_lengthy ? 50 : 200;
        int64_t m = is_middle ? judge_draw(&seed, 300, 900) : judge_draw_size(&seed, 2, side);
        int64_t n = is_middle ? judge_draw(&seed, 1 << 17, 1 << 18) / m
                              : judge_draw_size(&seed, 2, side);
        int64_t k = is_middle    ? judge_draw(&seed, 1, 16)
                    : is_lengthy ? judge_draw_size(&seed, 101, 600)
                                 : judge_draw_size(&seed, 1, 100);
        int64_t activation = count == 0 ? QUEST_ACT_LEAKY_RELU
                                        : judge_draw(&seed, QUEST_ACT_NONE, QUEST_ACT_GELU_TANH);
        bool with_bias = judge_draw(&seed, 0, 1), save_z = judge_draw(&seed, 0, 1);
        cases[count] = (struct judge_case){.size = {m, n, k, activation, with_bias, save_z},
                                           .real = {[SLOPE] = slope_drawn(activation, &seed)},
                                           .data = is_middle ? JUDGE_DATA_SPARSE_SPECIALS
                                                             : JUDGE_DATA_UNIFORM,
                                           .once = is_middle};
        judge_draw_pointers(&seed, BUFFERS, false, &cases[count]);
        name_drawn(&cases[count]);
    }
    return count;
}

/* Each activation where m and n are large, with all four pairs of flags; every other one with rows
 * of whole float4 and pointers to them. Two of those that are not are thin: no axis of a grid but x
 * has a block for each 8 of their longer side. */
static size_t draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { TALL = 2, WIDE = 4 };
    int64_t first = judge_draw(&seed, 0, ACTIVATIONS - 1), flags = judge_draw(&seed, 0, 3);
    size_t count = 0;
    for (; count < ACTIVATIONS && count < room; count++) {
        int64_t is_even = count % 2, unit = is_even ? 4 : 1, pair = (int64_t)count / 2 + flags;
        cases[count] = (struct judge_case){
            .size = {[M] = judge_draw_size(&seed, 1000, 8000),
                     [N] = unit * judge_draw_size(&seed, 1000 / unit, 8000 / unit),
                     [K] = judge_draw(&seed, 1, 12),
                     [ACTIVATION] = (first + 3 * (int64_t)count) % ACTIVATIONS,
                     [WITH_BIAS] = pair & 1, [SAVE_Z] = pair >> 1 & 1},
            .data = JUDGE_DATA_SPARSE_SPECIALS};
        cases[count].real[SLOPE] = slope_drawn(cases[count].size[ACTIVATION], &seed);
        if (count == TALL || count == WIDE) {
            cases[count].size[count == TALL ? M : N] = judge_draw(&seed, 530000, 620000);
            cases[count].size[count == TALL ? N : M] = judge_draw(&seed, 1, 8);
        }
        if (!is_even)
            judge_draw_pointers(&seed, BUFFERS, false, &cases[count]);
        name_drawn(&cases[count]);
    }
    return count;
}

static void redraw(uint64_t seed, struct judge_case *problem)
{
    problem->real[SLOPE] = slope_drawn(problem->size[ACTIVATION], &seed);
}

/* Fewer rows: whole tiles of 128 in a GPU's case. */
static void nearby(uint64_t seed, struct judge_case *problem)
{
    problem->size[M] -= problem->size[M] / 32 * judge_draw(&seed, 1, 2);
}

#endif
