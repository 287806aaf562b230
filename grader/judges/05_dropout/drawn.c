/* drawn.c - lesson 5: what is drawn from the check's seed, small, large and in timed cases. */
#include "judges/05_dropout/parts.h"
#include "judges/05_dropout/problem.h"

#include <stdio.h>
#include <string.h>

static int64_t any_word(uint64_t *seed)
{
    return judge_draw(seed, 0, UINT32_MAX);
}

/* Any step, including those past 2^63. */
static int64_t any_step(uint64_t *seed)
{
    uint64_t high = (uint64_t)any_word(seed);
    return (int64_t)(high << 32 | (uint64_t)any_word(seed));
}

/* Any float below 1. Most of these are so small that nothing is dropped. */
static float allowed_p(uint64_t *seed)
{
    static const float ENDS[] = {0, 0x1p-149f, P_BELOW_WORDS, P_OF_WORD_0, P_NEXT_TO_1};
    enum { END_COUNT = sizeof ENDS / sizeof *ENDS, MOST_BITS = 0x3F7FFFFF };
    int64_t end = judge_draw(seed, 0, 2 * END_COUNT - 1);
    uint32_t bits = (uint32_t)judge_draw(seed, 0, MOST_BITS);
    float p;
    memcpy(&p, &bits, sizeof p);
    return end < END_COUNT ? ENDS[end] : p;
}

/* Any p: in a quarter of the cases with many elements it is one at or next to an end, and in about
 * half of the others it is small, down to one dropped in a million. Otherwise it is far enough from
 * 0 and 1 that some elements are dropped, but not all. Its last bits are drawn as well. */
static float any_p(int64_t n, uint64_t *seed)
{
    enum { ONE = 1 << 24, LEAST = ONE >> 5, LEAST_OF_MANY = ONE >> 20 }; /* p times 2^24 */
    if (n > JUDGE_MIDDLE_LEAST && judge_draw(seed, 0, 3) == 0)
        return allowed_p(seed);
    bool is_small = n > JUDGE_MIDDLE_LEAST && judge_draw(seed, 0, 1);
    double p = (double)(is_small ? judge_draw_size(seed, LEAST_OF_MANY, LEAST)
                                 : judge_draw(seed, LEAST, ONE - LEAST));
    return (float)((p + 0x1p-24 * (double)judge_draw(seed, 0, ONE - 1)) / ONE);
}

/* Any p, key and step, to the last bit. */
static struct judge_case keyed_drawn(bool is_backward, int64_t n, uint64_t *seed)
{
    float p = any_p(n, seed);
    struct judge_case problem = {
        .size =
            {[N] = n, [STEP] = any_step(seed), [SEED] = any_word(seed), [LAYER] = any_word(seed)},
        .real = {[P] = p},
        .launcher = is_backward ? BACKWARD : FORWARD};
    snprintf(problem.name, sizeof problem.name, "n = %lld, %sp = %.3g, drawn", (long long)n,
             is_backward ? "backward, " : "", p);
    return problem;
}

/* Larger ones: special values, any pointers, in place or not. */
static void draw_all_but_size(uint64_t *seed, bool alike, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    judge_draw_pointers(seed, 2, alike, problem);
    if (alike && judge_draw(seed, 0, 1))
        problem->alias = IN_PLACE;
}

/* Right after the other pass, with enough elements that keeping their mask seems to pay. Of p some
 * part must be dropped, and in one of the calls it is twice as large. */
static struct judge_case after_other_drawn(enum script script, uint64_t *seed)
{
    int64_t n = judge_draw(seed, INT64_C(1) << 20, INT64_C(9) << 17);
    struct judge_case problem = keyed_drawn(true, n, seed);
    problem.real[P] /= 2;
    problem.size[PLACES] = judge_draw(seed, SAME_PLACES, ONE_PLACE);
    problem.script = script;
    problem.calls = script == OTHER_CALL ? 2 * RUNS + 1 : 2 * RUNS;
    problem.once = 1;
    snprintf(problem.name, sizeof problem.name, "n = %lld, backward after forward, drawn",
             (long long)n);
    return problem;
}

/* Both pointers at each other place in a sector of 32 bytes, in each pass. */
static size_t draw_places(uint64_t *seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (size_t i = 2; i < 2 * JUDGE_PLACES && count < room; i++) {
        struct judge_case *problem = &cases[count++];
        *problem = keyed_drawn(i & 1, judge_draw_size(seed, 64, 6000), seed);
        problem->alias = judge_draw(seed, 0, 1) ? IN_PLACE : 0;
        problem->data = judge_draw(seed, 0, 1) ? JUDGE_DATA_SPECIALS : JUDGE_DATA_UNIFORM;
        judge_draw_place(seed, i / 2, 2, problem);
        snprintf(problem->name, sizeof problem->name, "n = %lld, %s, %zu off, drawn",
                 (long long)problem->size[N], i & 1 ? "backward" : "forward", i / 2);
    }
    return count;
}

/* Each p next to an end, in each pass, with pointers that are not aligned; the list's are. */
static size_t draw_ends(uint64_t *seed, struct judge_case *cases, size_t room)
{
    static const float ENDS[] = {P_BELOW_WORDS, P_OF_WORD_0, P_NEXT_TO_1};
    size_t count = 0;
    for (size_t i = 0; i < 2 * (sizeof ENDS / sizeof *ENDS) && count < room; i++) {
        struct judge_case *problem = &cases[count++];
        *problem = keyed_drawn(i & 1, judge_draw_size(seed, 64, 6000), seed);
        problem->real[P] = ENDS[i / 2];
        judge_draw_off(seed, 2, problem);
        snprintf(problem->name, sizeof problem->name, "n = %lld, %s, p = %.8g, off, drawn",
                 (long long)problem->size[N], i & 1 ? "backward" : "forward", problem->real[P]);
    }
    return count;
}

/* Two small ones, forward and backward, a middle one, and two after the other pass. */
size_t dropout_draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < 3 && count < room; count++) {
        bool is_middle = count == 2;
        bool is_backward = is_middle ? judge_draw(&seed, 0, 1) : count == 1;
        int64_t n = is_middle ? judge_draw(&seed, JUDGE_MIDDLE_LEAST, JUDGE_MIDDLE_MOST)
                              : judge_draw_size(&seed, 3, 6000);
        cases[count] = keyed_drawn(is_backward, n, &seed);
        cases[count].once = is_middle;
        if (is_middle)
            draw_all_but_size(&seed, judge_draw(&seed, 0, 1), &cases[count]);
        else
            judge_draw_pointers(&seed, 2, judge_draw(&seed, 0, 1), &cases[count]);
    }
    for (enum script script = OTHER_PASS; script <= OTHER_CALL && count < room; script++)
        cases[count++] = after_other_drawn(script, &seed);
    count += draw_places(&seed, cases + count, room - count);
    return count + draw_ends(&seed, cases + count, room - count);
}

/* With nothing to drop and with nothing to keep, in both passes: each may be code of its own, such
 * as a copy or a fill. Of the two with nothing to drop one has more than 2^32 elements. The
 * simulated device does not fill arrays of more than 2^24 whole. */
static size_t draw_large_ends(uint64_t *seed, struct judge_case *cases, size_t room)
{
    const int64_t past = INT64_C(1) << 32, least = INT64_C(1) << 22, most_filled = 1 << 23;
    const int64_t past_turn = judge_draw(seed, 0, 1);
    size_t count = 0;
    for (; count < 2 * PASSES && count < room; count++) {
        struct judge_case *problem = &cases[count];
        bool is_backward = count % 2, drops_all = count / 2, is_past = is_backward == past_turn;
        int64_t n = drops_all ? judge_draw_size(seed, least, most_filled)
                    : is_past ? judge_draw_size(seed, past + 1, 4 * past)
                              : judge_draw_size(seed, least, past);
        *problem = keyed_drawn(is_backward, n, seed);
        problem->real[P] = drops_all;
        draw_all_but_size(seed, is_past, problem);
        snprintf(problem->name, sizeof problem->name, "n = %lld, %sp = %d, drawn", (long long)n,
                 is_backward ? "backward, " : "", drops_all);
    }
    return count;
}

/* One between each power of two and the next up to 2^27, where most arrays are, and one past that;
 * both passes in turn, and pointers that are alike in every other pair. In one more, past 2^32,
 * they are alike and not aligned, and it is in place: that shows whether the numbers of the last
 * elements wrap around into the first block's part. And each end of p. */
size_t dropout_draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { FIRST_POWER = 22, LAST_POWER = 27, PAST_UNSIGNED };
    int64_t turn = judge_draw(&seed, 0, 3);
    size_t count = 0;
    for (int64_t power = FIRST_POWER; power <= PAST_UNSIGNED && count < room; power++, turn++) {
        struct judge_case *problem = &cases[count++];
        int64_t least = INT64_C(1) << power;
        int64_t most = power < LAST_POWER ? 2 * least : INT64_C(1) << 34;
        int64_t n = power == PAST_UNSIGNED
                        ? (judge_draw(&seed, 2, 4) << 32) + judge_draw(&seed, 1, 4096)
                        : judge_draw_size(&seed, least, most);
        *problem = keyed_drawn(turn & 1, n, &seed);
        draw_all_but_size(&seed, turn >> 1 & 1, problem);
        if (power == PAST_UNSIGNED) {
            judge_draw_off(&seed, 2, problem);
            problem->alias = IN_PLACE;
        }
    }
    return count + draw_large_ends(&seed, cases + count, room - count);
}

/* Any key and step; p is off by less than its name tells. */
void dropout_redraw(uint64_t seed, struct judge_case *problem)
{
    problem->size[STEP] = any_step(&seed);
    problem->size[SEED] = any_word(&seed);
    problem->size[LAYER] = any_word(&seed);
    double more = 0x1p-20 * (double)judge_draw(&seed, 0, 999);
    problem->real[P] = (float)(problem->real[P] * (1 + more));
}

/* A little smaller, and with special values. */
void dropout_nearby(uint64_t seed, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    problem->size[N] -= 4 * judge_draw(&seed, 1, problem->size[N] / 400);
}
