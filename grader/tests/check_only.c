/* check_only.c - one launcher's cases are a judge of their own. */
#include "check/examine/only.h"

#include "tests/check_main.h"

static const char *const LAUNCHERS[] = {"lesson9_make", "lesson9_turn", "lesson9_add", NULL};

static const struct judge_case CASES[] = {{.name = "turn 1", .launcher = 1},
                                          {.name = "add 1", .launcher = 2},
                                          {.name = "turn 2", .launcher = 1}};
static const struct judge_case LARGE[] = {{.name = "add large", .launcher = 2}};

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    (void)device;
    if (room > 0)
        cases[0] = (struct judge_case){.name = "add timed", .launcher = 2};
    return 1;
}

static const struct judge JUDGE_OF_THREE = {.lesson = "09_x",
                                            .launchers = LAUNCHERS,
                                            .cases = CASES,
                                            .case_count = 3,
                                            .large = LARGE,
                                            .large_count = 1,
                                            .timed = timed};

START_TEST(parts_are_the_launchers_that_cases_are_about)
{
    json_t *parts = only_parts(&JUDGE_OF_THREE);
    ck_assert_uint_eq(json_array_size(parts), 2);
    ck_assert_str_eq(json_string_value(json_array_get(parts, 0)), "lesson9_turn");
    ck_assert_str_eq(json_string_value(json_array_get(parts, 1)), "lesson9_add");
    json_decref(parts);
}
END_TEST

START_TEST(a_part_keeps_its_cases_in_their_order)
{
    struct judge_device device = {.simulated = true};
    const struct judge *turn = only_judge(&JUDGE_OF_THREE, "lesson9_turn");
    ck_assert_ptr_nonnull(turn);
    ck_assert_uint_eq(turn->case_count, 2);
    ck_assert_str_eq(turn->cases[1].name, "turn 2");
    ck_assert_uint_eq(turn->large_count, 0);
    ck_assert(!only_is_timed(turn, &device));
    const struct judge *add = only_judge(&JUDGE_OF_THREE, "lesson9_add");
    struct judge_case cases[4];
    ck_assert_uint_eq(add->case_count, 1);
    ck_assert_uint_eq(add->large_count, 1);
    ck_assert_uint_eq(add->timed(&device, cases, 4), 1);
    ck_assert_str_eq(cases[0].name, "add timed");
}
END_TEST

START_TEST(a_case_keeps_the_one_that_comes_before_it)
{
    static const struct judge_case pairs[] = {{.name = "turn 1", .launcher = 1},
                                              {.name = "add 1", .launcher = 2},
                                              {.name = "turn 2", .launcher = 1, .after = 2},
                                              {.name = "add 2", .launcher = 2, .after = 2},
                                              {.name = "turn 3", .launcher = 1, .after = 4}};
    static const struct judge paired = {
        .launchers = LAUNCHERS, .cases = pairs, .case_count = 5, .timed = timed};
    const struct judge *turn = only_judge(&paired, "lesson9_turn");
    ck_assert_uint_eq(turn->case_count, 3);
    ck_assert_uint_eq(turn->cases[1].after, 1);
    ck_assert_uint_eq(turn->cases[2].after, 2);
}
END_TEST

START_TEST(what_no_case_is_about_is_no_part)
{
    ck_assert_ptr_null(only_judge(&JUDGE_OF_THREE, "lesson9_make"));
    ck_assert_ptr_null(only_judge(&JUDGE_OF_THREE, "lesson9_none"));
}
END_TEST

TESTS("only", parts_are_the_launchers_that_cases_are_about, a_part_keeps_its_cases_in_their_order,
      a_case_keeps_the_one_that_comes_before_it, what_no_case_is_about_is_no_part)
