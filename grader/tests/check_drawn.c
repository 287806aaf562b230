/* check_drawn.c - cases that are drawn come after the judge's own, are the same for the same seed,
 * and are of sizes that a check has the time for. */
#include "check/examine/drawn.h"
#include "check/examine/only.h"
#include "check/examine/stages.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

static const char *const LAUNCHERS[] = {"lesson9_make", "lesson9_turn", NULL};
static const struct judge_case CASES[] = {{.name = "make 1"}, {.name = "turn 1", .launcher = 1}};

static size_t draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    ck_assert_uint_ge(room, 2);
    for (int i = 0; i < 2; i++) {
        cases[i] = (struct judge_case){.launcher = 1, .size = {judge_draw(&seed, 10, 1 << 30)}};
        snprintf(cases[i].name, JUDGE_NAME, "turn %lld, drawn", (long long)cases[i].size[0]);
    }
    return 2;
}

static bool is_drawn(const struct judge_evidence *e)
{
    return e->where && e->where->drawn;
}

static const struct judge_mistake MISTAKES[] = {{"drawn", is_drawn, "0"}};
static const struct judge PLAIN = {.launchers = LAUNCHERS, .cases = CASES, .case_count = 2};
static const struct judge DRAWING = {.launchers = LAUNCHERS,
                                     .cases = CASES,
                                     .case_count = 2,
                                     .drawn = draw,
                                     .mistakes =
                                         &(const struct judge_mistakes)JUDGE_ROWS(MISTAKES)};

START_TEST(who_draws_nothing_is_the_same_judge)
{
    ck_assert_ptr_eq(drawn_judge(&PLAIN, 5), &PLAIN);
}
END_TEST

START_TEST(drawn_ones_come_after_the_others)
{
    const struct judge *judge = drawn_judge(&DRAWING, 5);
    ck_assert_uint_eq(judge->case_count, 4);
    ck_assert_str_eq(judge->cases[1].name, "turn 1");
    ck_assert(!judge->cases[1].drawn && judge->cases[2].drawn && judge->cases[3].drawn);
}
END_TEST

START_TEST(one_seed_gives_one_list)
{
    struct judge_case first[4];
    memcpy(first, drawn_judge(&DRAWING, 5)->cases, sizeof first);
    ck_assert_mem_eq(drawn_judge(&DRAWING, 5)->cases, first, sizeof first);
    ck_assert_mem_ne(drawn_judge(&DRAWING, 6)->cases, first, sizeof first);
}
END_TEST

static const struct judge_case PAIRED[] = {
    {.name = "make 2", .size = {2}},
    {.name = "turn 1", .launcher = 1},
    {.name = "make 2, then 1", .size = {1}, .after = 2},
    {.name = "make 2, then one off", .size = {2}, .offset_bytes = {4}, .after = 3},
};
static const struct judge PAIRING = {
    .launchers = LAUNCHERS, .cases = PAIRED, .case_count = 4, .drawn = draw};

START_TEST(a_pair_is_called_the_other_way_round_as_well)
{
    bool met[4] = {false};
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct judge *judge = drawn_judge(&PAIRING, seed);
        const struct judge_case *back = &judge->cases[4], *before = back - back->after;
        ck_assert_uint_eq(judge->case_count, 7);
        ck_assert(!back->drawn && judge->cases[5].drawn);
        ck_assert_int_eq(back->size[0], 2);
        ck_assert_uint_eq(back->offset_bytes[0], 0);
        ck_assert_ptr_eq(before - before->after, &judge->cases[0]);
        ck_assert(strncmp(back->name, before->name, strlen(before->name)) == 0);
        met[before - judge->cases] = true;
    }
    ck_assert(met[2] && met[3]);
}
END_TEST

START_TEST(one_launchers_judge_has_its_drawn_cases)
{
    ck_assert_uint_eq(only_judge(drawn_judge(&DRAWING, 5), "lesson9_turn")->case_count, 3);
    ck_assert_uint_eq(only_judge(drawn_judge(&DRAWING, 5), "lesson9_make")->case_count, 1);
}
END_TEST

START_TEST(a_mistake_can_ask_whether_the_case_was_drawn)
{
    const struct judge *judge = drawn_judge(&DRAWING, 5);
    for (size_t i = 1; i < 3; i++) {
        json_t *evidence =
            json_pack("{s:s, s:s}", "verdict", "WRONG", "case", judge->cases[i].name);
        json_t *found = recognise_stage(judge, evidence);
        ck_assert_int_eq(json_object_get(found, "name") != NULL, i == 2);
        json_decref(found);
        json_decref(evidence);
    }
}
END_TEST

/* --- The lessons' ----------------------------------------------------------------------------- */

static uint64_t elements(const struct judge *judge, const struct judge_case *problem)
{
    struct judge_buffer list[JUDGE_MOST_BUFFERS] = {{.name = NULL}};
    size_t count = judge->buffers(problem, list);
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (!list[i].optional && list[i].count > most)
            most = list[i].count;
    return most;
}

/* Each has a name of its own, by which a report's case is found again. */
static void ck_names_differ(const struct judge *judge)
{
    for (size_t i = judge->case_count - 1; judge->cases[i].drawn; i--) {
        ck_assert_msg(strlen(judge->cases[i].name) < JUDGE_NAME - 1, "%s", judge->cases[i].name);
        for (size_t other = 0; other < i; other++)
            ck_assert_str_ne(judge->cases[other].name, judge->cases[i].name);
    }
}

START_TEST(each_lesson_draws_sizes_that_it_can_check)
{
    const struct judge *const *list;
    size_t count = judge_all(&list);
    for (size_t i = 1; i < count; i++) /* lesson 0 computes nothing */
        for (uint64_t seed = 1; seed < 200; seed++) {
            const struct judge *judge = drawn_judge(list[i], seed);
            size_t drawn = judge->case_count - list[i]->case_count, once = 0, long_ones = 0;
            ck_assert_msg(drawn >= 2, "%s draws %zu cases", list[i]->lesson, drawn);
            ck_names_differ(judge);
            for (size_t at = list[i]->case_count; at < judge->case_count; at++) {
                uint64_t most = elements(judge, &judge->cases[at]);
                ck_assert_uint_ge(most, 2);
                ck_assert_uint_le(most, judge->cases[at].once ? JUDGE_MIDDLE_MOST : 1 << 20);
                once += judge->cases[at].once;
                long_ones += !judge->cases[at].once && most > 1 << 18;
            }
            ck_assert_uint_le(once, 4);      /* two of them long sums of few elements, lesson 2 */
            ck_assert_uint_le(long_ones, 2); /* which run several times: few rows, lesson 3 */
        }
}
END_TEST

enum { VECTOR_BYTES = 16 };

/* How many large cases are drawn of a launcher, with special values or whose first two pointers do
 * not lie alike. */
static void count_large(const struct judge *judge, size_t from, uint32_t launcher, size_t *all,
                        size_t *special, size_t *apart)
{
    *all = *special = *apart = 0;
    for (size_t i = from; i < judge->large_count; i++) {
        const struct judge_case *problem = &judge->large[i];
        ck_assert_msg(problem->drawn && strlen(problem->name) < JUDGE_NAME - 1, "%s",
                      problem->name);
        if (problem->launcher != launcher)
            continue;
        ++*all;
        *special += problem->data == JUDGE_DATA_SPARSE_SPECIALS ||
                    problem->data == JUDGE_DATA_SPARSE_WIDE || problem->data == JUDGE_DATA_BITS;
        *apart += (problem->offset_bytes[0] ^ problem->offset_bytes[1]) % VECTOR_BYTES != 0;
    }
}

/* So no size is that of one kind of data, or of one way in which pointers lie. */
START_TEST(large_sizes_come_with_special_values_and_any_pointers)
{
    const struct judge *const *list;
    size_t count = judge_all(&list), all, special, apart;
    for (size_t i = 1; i < count; i++)
        for (uint64_t seed = 1; seed < 200 && list[i]->drawn_large; seed++) {
            const struct judge *judge = drawn_judge(list[i], seed);
            for (uint32_t launcher = 0; list[i]->launchers[launcher]; launcher++) {
                count_large(judge, list[i]->large_count, launcher, &all, &special, &apart);
                ck_assert_msg(all >= 2 && special >= 1 && apart >= 1 && apart < all, "%s",
                              list[i]->launchers[launcher]);
            }
        }
}
END_TEST

/* Of lesson 9: each field of the hyperparameters is subnormal in some cases, and in others it is
 * not. */
START_TEST(each_field_of_adamw_is_drawn_from_its_whole_range)
{
    enum { FIELDS = 6, SEEDS = 200 };
    const struct judge *adamw = judge_named("09_adamw");
    size_t subnormal[FIELDS] = {0}, usual[FIELDS] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct judge *judge = drawn_judge(adamw, seed);
        for (size_t at = adamw->case_count; at < judge->case_count; at++)
            for (int field = 0; field < FIELDS; field++) {
                double value = judge->cases[at].real[field];
                ck_assert_msg(isfinite(value) && (double)(float)value == value, "%s",
                              judge->cases[at].name);
                subnormal[field] += value > 0 && value < 0x1p-126;
                usual[field] += value > 0x1p-20;
            }
    }
    for (int field = 0; field < FIELDS; field++)
        ck_assert_msg(subnormal[field] > 0 && usual[field] > SEEDS, "field %d", field);
}
END_TEST

/* From 2^least to 2^most: for each power of two, is a size between it and the next among those? */
static void ck_all_octaves(const char *what, uint64_t met, int least, int most)
{
    for (int octave = least; octave <= most; octave++)
        ck_assert_msg(met >> octave & 1, "%s: none from 2^%d on", what, octave);
}

static void note_octaves(const struct judge_case *cases, size_t from, size_t to,
                         uint64_t met[2][JUDGE_SIZES])
{
    for (size_t i = from; i < to; i++)
        for (int size = 0; size < 3; size++)
            for (int bits = 0; bits < 63 && cases[i].size[size] >> bits; bits++)
                if (cases[i].size[size] >> bits == 1)
                    met[cases[i].launcher][size] |= UINT64_C(1) << bits;
}

START_TEST(sides_of_matrices_are_drawn_from_every_power_of_two_to_the_next)
{
    const struct judge *listed = judge_named("2");
    uint64_t met[2][JUDGE_SIZES] = {{0}};
    for (uint64_t seed = 1; seed < 500; seed++) {
        const struct judge *judge = drawn_judge(listed, seed);
        note_octaves(judge->cases, listed->case_count, judge->case_count, met);
        note_octaves(judge->large, listed->large_count, judge->large_count, met);
    }
    ck_all_octaves("rows of a transpose", met[0][0], 1, 19);
    ck_all_octaves("columns of a transpose", met[0][1], 1, 19);
    ck_all_octaves("m of a product", met[1][0], 0, 19);
    ck_all_octaves("n of a product", met[1][1], 0, 19);
    ck_all_octaves("k of a product", met[1][2], 0, 13);
}
END_TEST

START_TEST(long_arrays_are_drawn_from_every_power_of_two_to_the_next)
{
    static const char *const LESSONS[] = {"1", "3", "5"}; /* the first size is the array's */
    for (size_t i = 0; i < sizeof LESSONS / sizeof *LESSONS; i++) {
        const struct judge *listed = judge_named(LESSONS[i]);
        uint64_t met[2][JUDGE_SIZES] = {{0}};
        for (uint64_t seed = 1; seed < 500; seed++) {
            const struct judge *judge = drawn_judge(listed, seed);
            note_octaves(judge->large, listed->large_count, judge->large_count, met);
        }
        ck_all_octaves(listed->launchers[0], met[0][0], 23, 33);
    }
}
END_TEST

/* Of what is drawn nothing is lost between the seed and the launcher, which takes floats. */
START_TEST(drawn_numbers_are_floats_and_all_over_the_range)
{
    uint64_t seed = 3, small = 0;
    for (int i = 0; i < 1000; i++) {
        float value = judge_draw_float(&seed);
        int64_t size = judge_draw_size(&seed, 2, 6000), number = judge_draw(&seed, -3, 3);
        ck_assert(fabsf(value) >= 0.5f && fabsf(value) <= 2);
        ck_assert(size >= 2 && size <= 6000 && number >= -3 && number <= 3);
        small += size < 110;
    }
    ck_assert(small > 400 && small < 600);
}
END_TEST

START_TEST(scalars_are_of_the_kind_that_was_asked_for)
{
    uint64_t seed = 5;
    int exponent, negative = 0, past_two = 0;
    for (int i = 0; i < 300; i++) {
        float any = judge_draw_scalar(&seed, JUDGE_ANY_SCALAR);
        float whole = judge_draw_scalar(&seed, JUDGE_WHOLE);
        float power = judge_draw_scalar(&seed, JUDGE_POWER_OF_TWO);
        ck_assert(fabsf(any) >= 0.5f && fabsf(any) <= 2 && any != floorf(any));
        ck_assert(fabsf(whole) >= 1 && fabsf(whole) < 1000 && whole == floorf(whole));
        ck_assert(fabsf(frexpf(power, &exponent)) == 0.5f && exponent > -8 && exponent <= 10);
        negative += whole < 0;
        past_two += fabsf(whole) > 2;
    }
    ck_assert(negative > 100 && negative < 200 && past_two > 250);
}
END_TEST

TESTS("drawn", scalars_are_of_the_kind_that_was_asked_for, who_draws_nothing_is_the_same_judge,
      drawn_ones_come_after_the_others, one_seed_gives_one_list,
      a_pair_is_called_the_other_way_round_as_well, one_launchers_judge_has_its_drawn_cases,
      a_mistake_can_ask_whether_the_case_was_drawn, each_lesson_draws_sizes_that_it_can_check,
      large_sizes_come_with_special_values_and_any_pointers,
      each_field_of_adamw_is_drawn_from_its_whole_range,
      sides_of_matrices_are_drawn_from_every_power_of_two_to_the_next,
      long_arrays_are_drawn_from_every_power_of_two_to_the_next,
      drawn_numbers_are_floats_and_all_over_the_range)
