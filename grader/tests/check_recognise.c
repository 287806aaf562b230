/* check_recognise.c - a judge's tests see the case that failed, whether small or timed. */
#include "check/examine/stages.h"

#include "tests/check_main.h"

#include <string.h>

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case small = {.name = "timed, small", .launcher = 0},
                            large = {.name = "timed, large", .launcher = 1};
    if (room == 0)
        return 0;
    cases[0] = device->simulated || device->memory_bytes < 1000 ? small : large;
    return 1;
}

static const struct judge_case CASES[] = {{.name = "n = 3", .launcher = 2}};

static bool of_first(const struct judge_evidence *e)
{
    return e->where && e->where->launcher == 0;
}

static bool of_second(const struct judge_evidence *e)
{
    return e->where && e->where->launcher == 1;
}

static bool of_third(const struct judge_evidence *e)
{
    return e->where && e->where->launcher == 2;
}

static bool of_next_process(const struct judge_evidence *e)
{
    return e->process == 1 && e->counter[JUDGE_HANDED_BYTES] == 7;
}

static const struct judge_mistake MISTAKES[] = {{"next", of_next_process, "0"},
                                                {"first", of_first, "1"},
                                                {"second", of_second, "2"},
                                                {"third", of_third, "3"}};

static const struct judge JUDGE_OF_TEST = {.cases = CASES,
                                           .case_count = 1,
                                           .timed = timed,
                                           .mistakes =
                                               &(const struct judge_mistakes)JUDGE_ROWS(MISTAKES)};

static void seen(const char *name, double memory_bytes, const char *mistake)
{
    json_t *evidence = json_pack("{s:s, s:s, s:{s:f, s:f}}", "verdict", "SLOW", "case", name,
                                 "device", "memory_bytes", memory_bytes, "l2_bytes", 1.0);
    json_t *found = recognise_stage(&JUDGE_OF_TEST, evidence);
    const char *known = json_string_value(json_object_get(found, "name"));
    ck_assert_str_eq(known ? known : "none", mistake);
    json_decref(found);
    json_decref(evidence);
}

START_TEST(where_is_a_numerics_case)
{
    seen("n = 3", 5000, "third");
}
END_TEST

START_TEST(where_is_a_timed_case_of_either_device)
{
    seen("timed, large", 5000, "second");
    seen("timed, small", 5000, "first"); /* the simulated device counts for a GPU, too */
    seen("timed, small", 500, "first");
}
END_TEST

START_TEST(an_unknown_case_is_none)
{
    seen("timed, large", 500, "none");
    seen("n = 4", 5000, "none");
}
END_TEST

static void seen_in_process(int process, int bytes, const char *mistake)
{
    json_t *evidence =
        json_pack("{s:s, s:s, s:i, s:{s:i}}", "verdict", "CRASH", "case", "n = 3", "process",
                  process, "counters", counter_name(JUDGE_HANDED_BYTES), bytes);
    json_t *found = recognise_stage(&JUDGE_OF_TEST, evidence);
    ck_assert_str_eq(json_string_value(json_object_get(found, "name")), mistake);
    json_decref(found);
    json_decref(evidence);
}

START_TEST(which_process_failed_and_what_it_was_given_are_evidence)
{
    seen_in_process(1, 7, "next");
    seen_in_process(0, 7, "third");
    seen_in_process(1, 8, "third");
}
END_TEST

/* Its counters are those of a case that is fast. */
START_TEST(what_is_slow_in_another_case_is_no_mistake_of_the_timed_one)
{
    json_t *evidence =
        json_pack("{s:s, s:s, s:b}", "verdict", "SLOW", "case", "n = 3", "in_another_case", true);
    json_t *found = recognise_stage(&JUDGE_OF_TEST, evidence);
    ck_assert_ptr_null(json_object_get(found, "name"));
    json_decref(found);
    json_decref(evidence);
}
END_TEST

/* Its first call was right, with the same inputs: mistakes of a first call do not fit. */
START_TEST(what_a_call_left_is_no_mistake_of_the_first_one)
{
    json_t *evidence = json_pack("{s:s, s:s, s:s}", "verdict", "WRONG", "case", "n = 3", "said",
                                 "wrong, in another call with the same arguments and the same "
                                 "inputs, after a few elements of the outputs were overwritten");
    json_t *found = recognise_stage(&JUDGE_OF_TEST, evidence);
    ck_assert_ptr_null(json_object_get(found, "name"));
    json_decref(found);
    json_decref(evidence);
}
END_TEST

START_TEST(levels_know_what_was_said_of_the_elements_and_the_launch)
{
    json_t *evidence = json_pack(
        "{s:s, s:s, s:{s:i, s:i, s:i, s:i, s:s}, s:{s:i, s:i, s:i}}", "verdict", "WRONG", "said",
        "3 of 1027 wrong, first out[1024]", "wrong", "wrong", 3, "total", 1027, "first", 1024,
        "unwritten", 3, "pattern", "tail", "launch", "count", 1, "blocks", 4, "threads", 256);
    json_t *found = recognise_stage(&JUDGE_OF_TEST, evidence);
    json_t *third = json_array_get(json_object_get(found, "levels"), 2);
    const char *text = json_string_value(json_array_get(third, 0));
    ck_assert_ptr_nonnull(strstr(text, "thread 0 of block 4"));
    json_decref(found);
    json_decref(evidence);
}
END_TEST

TESTS("recognise", what_is_slow_in_another_case_is_no_mistake_of_the_timed_one,
      where_is_a_numerics_case, where_is_a_timed_case_of_either_device, an_unknown_case_is_none,
      which_process_failed_and_what_it_was_given_are_evidence,
      levels_know_what_was_said_of_the_elements_and_the_launch,
      what_a_call_left_is_no_mistake_of_the_first_one)
