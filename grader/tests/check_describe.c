/* check_describe.c - what a judge says of its own cases must be true. */
#include "check/examine/stages.h"

#include "tests/check_main.h"

static size_t faults_of(const struct judge_case *cases, size_t count)
{
    const struct judge judge = {.cases = cases, .case_count = count};
    json_t *contract = describe_contract(&judge);
    size_t faults = json_array_size(json_object_get(contract, "faults"));
    json_decref(contract);
    return faults;
}

START_TEST(a_case_differs_from_the_one_called_before_it_in_one_argument)
{
    const struct judge_case sound[] = {{.size = {64, 32}},
                                       {.size = {64, 31}, .after = 1},
                                       {.size = {64, 32}, .real = {1}, .after = 2},
                                       {.size = {64, 32}, .offset_bytes = {0, 4}, .after = 3}};
    const struct judge_case two[] = {{.size = {64, 32}}, {.size = {63, 31}, .after = 1}};
    const struct judge_case none[] = {{.size = {64, 32}}, {.size = {64, 32}, .after = 1}};
    const struct judge_case other[] = {{.size = {64}}, {.size = {63}, .launcher = 1, .after = 1}};
    const struct judge_case before_the_list[] = {{.size = {64}, .after = 1}};
    ck_assert_uint_eq(faults_of(sound, 4), 0);
    ck_assert_uint_eq(faults_of(two, 2), 1);
    ck_assert_uint_eq(faults_of(none, 2), 1);
    ck_assert_uint_eq(faults_of(other, 2), 1);
    ck_assert_uint_eq(faults_of(before_the_list, 1), 1);
}
END_TEST

TESTS("describe", a_case_differs_from_the_one_called_before_it_in_one_argument)
