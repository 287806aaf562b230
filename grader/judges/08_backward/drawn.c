/* drawn.c - lesson 8: what is drawn from the check's seed, small and in timed cases. */
#include "judges/08_backward/parts.h"
#include "judges/08_backward/problem.h"

#include <math.h>
#include <stdio.h>

/* Any slope, from 2^-13 to 2^3. Only leaky relu uses one: if another activation does, that
 * shows. */
static double slope_drawn(int64_t activation, uint64_t *seed)
{
    double slope = ldexp(judge_draw_float(seed), (int)judge_draw(seed, -12, 2));
    return activation == QUEST_ACT_LEAKY_RELU ? slope : NAN;
}

static void name_drawn(struct judge_case *problem)
{
    static const char *const NAMES[ACTIVATIONS] = {
        [QUEST_ACT_NONE] = "none",          [QUEST_ACT_RELU] = "relu",
        [QUEST_ACT_LEAKY_RELU] = "leaky",   [QUEST_ACT_SIGMOID] = "sigmoid",
        [QUEST_ACT_TANH] = "tanh",          [QUEST_ACT_GELU_ERF] = "gelu",
        [QUEST_ACT_GELU_TANH] = "gelu tanh"};
    const int64_t *size = problem->size;
    snprintf(problem->name, sizeof problem->name, "%lld x %lld x %lld, %s%s, drawn",
             (long long)size[M], (long long)size[N], (long long)size[K], NAMES[size[ACTIVATION]],
             size[WITH_BIAS] ? ", bias" : "");
}

/* What small cases are for: a slope that is needed; z of a few units, where curved activations are
 * curved; exact sums, down long columns or along long rows; and many tiles, with special values
 * among their elements. */
enum { SLOPED, CURVED, TALL, WIDE, MIDDLE, SMALL_CASES };

static void draw_sides(size_t which, uint64_t *seed, int64_t size[JUDGE_SIZES])
{
    for (int side = M; side <= K; side++)
        size[side] = judge_draw_size(seed, 2, 150);
    if (which == TALL || which == MIDDLE)
        size[M] = judge_draw(seed, 500, 2000);
    if (which == WIDE)
        size[N] = judge_draw(seed, 500, 2000);
    if (which == MIDDLE) {
        size[N] = judge_draw(seed, 129, 260);
        size[K] = judge_draw(seed, 1, 40);
    }
}

static int64_t activation_drawn(size_t which, uint64_t *seed)
{
    if (which == SLOPED)
        return QUEST_ACT_LEAKY_RELU;
    if (which == CURVED)
        return judge_draw(seed, QUEST_ACT_SIGMOID, QUEST_ACT_GELU_TANH);
    if (which == TALL || which == WIDE)
        return judge_draw(seed, QUEST_ACT_NONE, QUEST_ACT_RELU);
    return judge_draw(seed, QUEST_ACT_NONE, QUEST_ACT_GELU_TANH);
}

size_t backward_draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    static const enum judge_data DATA[SMALL_CASES] = {[SLOPED] = JUDGE_DATA_UNIFORM,
                                                      [CURVED] = JUDGE_DATA_INTEGERS,
                                                      [TALL] = JUDGE_DATA_INTEGERS,
                                                      [WIDE] = JUDGE_DATA_INTEGERS,
                                                      [MIDDLE] = JUDGE_DATA_SPARSE_SPECIALS};
    size_t count = 0;
    for (; count < SMALL_CASES && count < room; count++) {
        struct judge_case *problem = &cases[count];
        *problem = (struct judge_case){.data = DATA[count], .once = count == MIDDLE};
        draw_sides(count, &seed, problem->size);
        problem->size[ACTIVATION] = activation_drawn(count, &seed);
        problem->size[WITH_BIAS] = count == TALL || judge_draw(&seed, 0, 1);
        problem->real[SLOPE] = slope_drawn(problem->size[ACTIVATION], &seed);
        judge_draw_pointers(&seed, BUFFERS, false, problem);
        name_drawn(problem);
    }
    return count;
}

/* Always a number: a launcher that compares a timed call's arguments with those of the call before
 * must find them equal. */
void backward_redraw(uint64_t seed, struct judge_case *problem)
{
    problem->real[SLOPE] = slope_drawn(QUEST_ACT_LEAKY_RELU, &seed);
}

/* A sixteenth or an eighth of the rows less, which are whole tiles; and special values. */
void backward_nearby(uint64_t seed, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    problem->size[M] -= problem->size[M] / 16 * judge_draw(&seed, 1, 2);
}
