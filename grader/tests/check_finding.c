/* check_finding.c - a finding's JSON has all that hints are made of. */
#include "check/examine/lab.h"

#include "check/record.h"
#include "tests/check_main.h"

START_TEST(a_comparison_is_told_whole)
{
    struct finding finding = {.verdict = VERDICT_PASS};
    const struct comparison comparison = {.total = 8,
                                          .looked_at = 8,
                                          .wrong = 4,
                                          .first_wrong = 1,
                                          .stride = 2,
                                          .zeros = 3,
                                          .pattern = COMPARE_STRIDED};
    finding_set(&finding, VERDICT_WRONG, "4 of 8 wrong");
    finding_wrong(&finding, "y", &comparison);
    json_t *object = finding_json(&finding), *wrong = json_object_get(object, "wrong");
    ck_assert_str_eq(record_text(wrong, "pattern"), "strided");
    ck_assert_int_eq(record_integer(wrong, "stride"), 2);
    ck_assert_int_eq(record_integer(wrong, "zeros"), 3);
    json_decref(object);
}
END_TEST

START_TEST(a_faults_thread_and_block_have_numbers)
{
    struct simgpu_launch launches[2] = {
        {.grid = {1, 1, 1}, .block = {32, 1, 1}},
        {.grid = {4, 3, 1},
         .block = {16, 16, 1},
         .fault = {.kind = 1, .block = {2, 1, 0}, .thread = {5, 2, 0}}}};
    const struct simgpu_report report = {.launches = launches, .launch_count = 2};
    struct finding finding = {.verdict = VERDICT_PASS};
    finding_set(&finding, VERDICT_OUT_OF_BOUNDS, "out of bounds");
    finding_note_launch(&finding, &report, 1);
    json_t *object = finding_json(&finding), *launch = json_object_get(object, "launch");
    ck_assert_int_eq(record_integer(launch, "blocks"), 12);
    ck_assert_int_eq(record_integer(launch, "threads"), 256);
    ck_assert_int_eq(record_integer(launch, "block"), 6);
    ck_assert_int_eq(record_integer(launch, "thread"), 37);
    json_decref(object);
}
END_TEST

START_TEST(where_nothing_failed_in_a_launch_no_thread_is_named)
{
    struct simgpu_launch launch = {.grid = {4, 1, 1}, .block = {256, 1, 1}};
    const struct simgpu_report report = {.launches = &launch, .launch_count = 1};
    struct finding finding = {.verdict = VERDICT_PASS};
    finding_note_launch(&finding, &report, 1); /* there is none of that number */
    ck_assert_uint_eq(finding.launch.count, 0);
    finding_note_launch(&finding, &report, 0);
    json_t *object = finding_json(&finding);
    ck_assert_ptr_null(json_object_get(json_object_get(object, "launch"), "thread"));
    json_decref(object);
}
END_TEST

TESTS("finding", a_comparison_is_told_whole, a_faults_thread_and_block_have_numbers,
      where_nothing_failed_in_a_launch_no_thread_is_named)
