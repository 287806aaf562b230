/* check_regimes.c - each regime of a judge is a call that its contract allows, with a name that no
 * other case has; and only the launchers that have a regime are judged by it. */
#include "check/examine/regimes.h"

#include "check/examine/nearby.h"
#include "check/examine/stages.h"

#include "tests/check_main.h"

#include <string.h>

/* The device that lessons are timed on. */
static const struct judge_device LARGE_DEVICE = {.memory_bytes = UINT64_C(140) << 30,
                                                 .l2_bytes = 50 << 20};

enum { MOST_NAMES = 128 };
struct names {
    const struct judge *judge;
    char seen[MOST_NAMES][JUDGE_NAME];
    size_t count;
};

static void assert_new(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->judge->case_count; i++)
        ck_assert_str_ne(name, names->judge->cases[i].name);
    for (size_t i = 0; i < names->count; i++)
        ck_assert_str_ne(name, names->seen[i]);
    ck_assert_uint_lt(names->count, MOST_NAMES);
    ck_assert_msg(strlen(name) + 1 < JUDGE_NAME, "%s may be cut off", name);
    strcpy(names->seen[names->count++], name);
}

static void assert_another(const struct judge_case *its, const struct judge_case *timed)
{
    ck_assert_uint_eq(its->launcher, timed->launcher);
    ck_assert_msg(memcmp(its->size, timed->size, sizeof its->size) != 0 ||
                      memcmp(its->real, timed->real, sizeof its->real) != 0 ||
                      memcmp(its->offset_bytes, timed->offset_bytes, sizeof its->offset_bytes) ||
                      its->alias != timed->alias,
                  "%s is the timed case", its->name);
}

/* Regimes that the launcher of the timed case has: how many? */
static size_t look_at(struct lab *lab, const struct judge_case *timed, struct names *names)
{
    size_t count = 0;
    const struct judge_regimes *regimes = lab->judge->regimes;
    for (size_t i = 0; regimes && i < regimes->count; i++) {
        struct judge_case its, again;
        if (!regimes_case(lab, &regimes->rows[i], timed, &its))
            continue;
        assert_another(&its, timed);
        assert_new(names, its.name);
        ck_assert(judge_has_work(lab->judge->work(&its)));
        ck_assert(regimes_case(lab, &regimes->rows[i], timed, &again));
        ck_assert_mem_eq(&its, &again, sizeof its);
        count++;
    }
    return count;
}

START_TEST(every_launcher_has_regimes_each_with_its_own_name)
{
    static const char *const LESSONS[] = {"1", "2", "3", "4", "5", "7", "8", "9"};
    for (size_t i = 0; i < sizeof LESSONS / sizeof *LESSONS; i++) {
        struct judge_case cases[MOST_TIMED_CASES];
        struct lab lab = {.judge = judge_named(LESSONS[i]), .device = LARGE_DEVICE};
        struct names names = {.judge = lab.judge};
        size_t count = judged_cases(&lab, cases, MOST_TIMED_CASES);
        for (size_t j = 0; j < count; j++)
            assert_new(&names, cases[j].name);
        for (size_t j = 0; j < count; j++)
            ck_assert_uint_ge(look_at(&lab, &cases[j], &names), 4);
    }
}
END_TEST

/* Of one launcher's regimes: how many have another size for another seed? */
static size_t count_drawn(struct lab *lab, const struct judge_case *timed)
{
    size_t differ = 0;
    for (size_t i = 0; i < lab->judge->regimes->count; i++) {
        const struct judge_regime *regime = &lab->judge->regimes->rows[i];
        struct judge_case its;
        bool differs = false;
        for (lab->seed = 1; lab->seed < 20 && regimes_case(lab, regime, timed, &its); lab->seed++) {
            struct judge_case drawn = regimes_draw(lab, regime, timed);
            double share = nearby_share(lab, &drawn, &its);
            ck_assert_msg(share > 0.86 && share <= 1, "%s: %g", drawn.name, share);
            ck_assert_mem_eq(drawn.offset_bytes, its.offset_bytes, sizeof its.offset_bytes);
            ck_assert_uint_eq(drawn.alias, its.alias);
            ck_assert_uint_lt(strlen(drawn.name), JUDGE_NAME - 1);
            differs |= share < 1;
        }
        differ += differs;
    }
    return differ;
}

START_TEST(the_sizes_of_a_regime_like_the_timed_case_are_drawn)
{
    static const char *const LESSONS[] = {"1", "2", "3", "4", "5", "7", "8", "9"};
    for (size_t i = 0; i < sizeof LESSONS / sizeof *LESSONS; i++) {
        struct judge_case cases[MOST_TIMED_CASES];
        struct lab lab = {.judge = judge_named(LESSONS[i]), .device = LARGE_DEVICE};
        size_t count = judged_cases(&lab, cases, MOST_TIMED_CASES);
        for (size_t j = 0; j < count; j++)
            ck_assert_uint_ge(count_drawn(&lab, &cases[j]), 1);
    }
}
END_TEST

START_TEST(a_regime_says_what_is_slow_and_asks_for_no_more_than_it_may)
{
    const struct judge *const *list;
    size_t count = judge_all(&list);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; list[i]->regimes && j < list[i]->regimes->count; j++) {
            const struct judge_regime *regime = &list[i]->regimes->rows[j];
            ck_assert(*regime->key && *regime->says && *regime->look_at);
            ck_assert(regime->share >= 0 && regime->share <= JUDGE_MOST_SHARE);
            ck_assert(!regime->whole_device || list[i]->slice > 0);
        }
}
END_TEST

/* --- Whose regime it is ----------------------------------------------------------------------- */

static struct judge_work work(const struct judge_case *problem)
{
    return (struct judge_work){.bytes = 4 * (double)problem->size[0]};
}

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    list[0] =
        (struct judge_buffer){.name = "x", .role = JUDGE_OUT, .count = (uint64_t)problem->size[0]};
    return 1;
}

static void turn(struct judge_case *problem)
{
    problem->size[0] *= 2;
}

static const struct judge_regime OF_SECOND = {
    .key = "twice", .launchers = 1 << 1, .turn = turn, .says = "twice is slow", .look_at = "it"};
static const struct judge OF_TEST = {
    .work = work, .buffers = buffers, .regimes = &(const struct judge_regimes){&OF_SECOND, 1}};

START_TEST(a_launcher_is_held_to_its_own_regimes)
{
    struct lab lab = {.judge = &OF_TEST, .device = {.memory_bytes = 1 << 20}};
    struct judge_case its, first = {.size = {100}}, second = {.launcher = 1, .size = {100}};
    ck_assert(!regimes_case(&lab, &OF_SECOND, &first, &its));
    ck_assert(regimes_case(&lab, &OF_SECOND, &second, &its));
    ck_assert_int_eq(its.size[0], 200);
    ck_assert_int_eq(second.size[0], 100);
}
END_TEST

START_TEST(without_a_case_work_or_memory_there_is_no_regime)
{
    struct lab lab = {.judge = &OF_TEST, .device = {.memory_bytes = 1 << 20}};
    struct judge_case its, empty = {.launcher = 1}, huge = {.launcher = 1, .size = {1 << 20}};
    ck_assert(!regimes_case(&lab, &OF_SECOND, NULL, &its));
    ck_assert(!regimes_case(&lab, &OF_SECOND, &empty, &its));
    ck_assert(!regimes_case(&lab, &OF_SECOND, &huge, &its));
}
END_TEST

START_TEST(a_regime_is_sampled_in_brief)
{
    struct lab lab = {.judge = &OF_TEST};
    struct judge_case its = {.size = {100}};
    struct timed timed = regimes_timed(&lab, &OF_SECOND, &its);
    ck_assert(timed.sampled && timed.brief && !timed.all && timed.problem == &its);
}
END_TEST

START_TEST(a_sliced_device_runs_all_of_a_regime)
{
    struct judge sliced = OF_TEST;
    sliced.slice = 8;
    struct lab lab = {.judge = &sliced};
    struct judge_case its = {.size = {100}};
    struct timed timed = regimes_timed(&lab, &OF_SECOND, &its);
    ck_assert(!timed.sampled && !timed.brief && !timed.whole_device && timed.problem == &its);
}
END_TEST

START_TEST(a_regime_of_the_whole_device_is_not_on_the_slice)
{
    struct judge sliced = OF_TEST;
    struct judge_regime whole = OF_SECOND;
    sliced.slice = 8;
    whole.whole_device = true;
    struct lab lab = {.judge = &sliced};
    struct judge_case its = {.size = {100}};
    struct timed timed = regimes_timed(&lab, &whole, &its);
    ck_assert(!timed.sampled && timed.whole_device);
}
END_TEST

START_TEST(sizes_are_less_and_buffers_off_before_the_turn)
{
    struct judge_regime less = OF_SECOND;
    less.less[0] = 3;
    less.off[1] = 2;
    struct lab lab = {.judge = &OF_TEST, .device = {.memory_bytes = 1 << 20}};
    struct judge_case its, second = {.launcher = 1, .size = {100}};
    ck_assert(regimes_case(&lab, &less, &second, &its));
    ck_assert_int_eq(its.size[0], 194);
    ck_assert_uint_eq(its.offset_bytes[0], 0);
    ck_assert_uint_eq(its.offset_bytes[1], 2 * sizeof(float));
}
END_TEST

START_TEST(a_name_says_which_buffers_are_off)
{
    static const char *const NAMES[] = {"x", "y"};
    struct judge_case its = {.size = {100}};
    ck_assert_str_eq(judge_places_text(&its, NAMES, 2).text, "");
    its.offset_bytes[1] = 8;
    ck_assert_str_eq(judge_places_text(&its, NAMES, 2).text, ", y 2 off");
    its.offset_bytes[0] = 4;
    ck_assert_str_eq(judge_places_text(&its, NAMES, 2).text, ", x 1 y 2 off");
    its.offset_bytes[1] = 4;
    ck_assert_str_eq(judge_places_text(&its, NAMES, 2).text, ", all 1 off");
}
END_TEST

TESTS("regimes", every_launcher_has_regimes_each_with_its_own_name,
      the_sizes_of_a_regime_like_the_timed_case_are_drawn,
      a_regime_says_what_is_slow_and_asks_for_no_more_than_it_may,
      a_launcher_is_held_to_its_own_regimes, without_a_case_work_or_memory_there_is_no_regime,
      a_regime_is_sampled_in_brief, a_sliced_device_runs_all_of_a_regime,
      a_regime_of_the_whole_device_is_not_on_the_slice,
      sizes_are_less_and_buffers_off_before_the_turn, a_name_says_which_buffers_are_off)
