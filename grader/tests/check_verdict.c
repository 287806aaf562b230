/* check_verdict.c - the one list of verdicts. */
#include "check/verdict.h"

#include "simgpu/machine/machine.h"
#include "tests/check_main.h"

#include <string.h>

START_TEST(every_verdict_is_found_by_its_name)
{
    for (int i = 0; i < VERDICTS; i++) {
        enum verdict found = VERDICTS;
        ck_assert(verdict_named(verdict_name((enum verdict)i), &found));
        ck_assert_int_eq(found, i);
        ck_assert_uint_gt(strlen(verdict_sentence((enum verdict)i)), 0);
    }
    enum verdict found;
    ck_assert(!verdict_named("pass", &found));
    ck_assert(!verdict_named("", &found));
}
END_TEST

START_TEST(the_last_line_of_a_report_fits_100_columns)
{
    for (int i = 0; i < VERDICTS; i++) {
        enum verdict verdict = (enum verdict)i;
        size_t columns = strlen(verdict_points(verdict) == POINTS_AGAIN
                                    ? "INCONCLUSIVE lesson 1 [] your code ."
                                    : "NOT YET lesson 1 [] your code .   make hint-lesson1");
        columns += strlen(verdict_name(verdict)) + strlen(verdict_sentence(verdict));
        ck_assert_msg(columns <= 100, "%s: %zu", verdict_name(verdict), columns);
    }
}
END_TEST

START_TEST(every_error_that_is_kept_says_where_to_look)
{
    for (int i = 0; i < VERDICTS; i++) {
        enum verdict verdict = (enum verdict)i;
        bool is_error = verdict_points(verdict) == POINTS_NONE ||
                        verdict == VERDICT_NOT_SIMULATED; /* which has no hints of a lesson's */
        ck_assert_msg((*verdict_advice(verdict) != '\0') == is_error, "%s", verdict_name(verdict));
    }
}
END_TEST

START_TEST(only_pass_exits_with_zero)
{
    for (int i = 0; i < VERDICTS; i++)
        ck_assert_int_eq(verdict_exit_code((enum verdict)i) == 0, i == VERDICT_PASS);
    ck_assert_int_eq(verdict_exit_code(VERDICT_WRONG), 1);
    ck_assert_int_eq(verdict_exit_code(VERDICT_SLOW), 2);
    ck_assert_int_eq(verdict_exit_code(VERDICT_BUILD), 3);
    ck_assert_int_eq(verdict_exit_code(VERDICT_COMPILER_LIMIT), 3);
    ck_assert_int_eq(verdict_exit_code(VERDICT_INCONCLUSIVE), 4);
    ck_assert_int_eq(verdict_exit_code(VERDICT_DEVICE), 5);
    ck_assert_int_eq(verdict_exit_code(VERDICT_TIMEOUT), 6);
    ck_assert_int_eq(verdict_exit_code(VERDICT_CRASH), 7);
    ck_assert_int_eq(verdict_exit_code(VERDICT_REFUSED), 8);
    ck_assert_int_eq(verdict_exit_code(VERDICT_NOT_SIMULATED), 9);
    ck_assert_int_eq(verdict_exit_code(VERDICT_INTERNAL), 70);
}
END_TEST

START_TEST(no_fault_of_the_device_passes)
{
    ck_assert_int_eq(verdict_of_fault(SIM_FAULT_NONE), VERDICT_PASS);
    for (int fault = SIM_FAULT_NONE + 1; fault < SIM_FAULTS; fault++)
        if (fault != SIM_FAULT_HARMLESS_RACE) /* a remark */
            ck_assert_int_ne(verdict_of_fault(fault), VERDICT_PASS);
    ck_assert_int_eq(verdict_of_fault(SIM_FAULTS + 7), VERDICT_INTERNAL);
}
END_TEST

START_TEST(what_the_device_does_not_know_is_no_fault_of_the_submission)
{
    ck_assert_int_eq(verdict_of_fault(SIM_FAULT_UNSUPPORTED), VERDICT_NOT_SIMULATED);
    ck_assert_int_eq(verdict_of_fault(SIM_FAULT_DEVICE_LAUNCH), VERDICT_NOT_SIMULATED);
    ck_assert_int_eq(verdict_of_fault(SIM_FAULT_UNKNOWN_FUNCTION), VERDICT_NOT_SIMULATED);
    ck_assert_int_eq(verdict_of_fault(SIM_FAULT_BAD_CALL), VERDICT_STOPPED);
}
END_TEST

START_TEST(the_graders_own_failures_cost_no_points)
{
    ck_assert_int_eq(verdict_points(VERDICT_INTERNAL), POINTS_AGAIN);
    ck_assert_int_eq(verdict_points(VERDICT_DEVICE), POINTS_AGAIN);
    ck_assert_int_eq(verdict_points(VERDICT_INCONCLUSIVE), POINTS_AGAIN);
    for (int i = 0; i < VERDICTS; i++) /* and no others do */
        ck_assert_int_eq(verdict_points((enum verdict)i) == POINTS_AGAIN,
                         i == VERDICT_INTERNAL || i == VERDICT_DEVICE ||
                             i == VERDICT_INCONCLUSIVE || i == VERDICT_PART);
    ck_assert_int_eq(verdict_points(VERDICT_WRONG), POINTS_NONE);
    ck_assert_int_eq(verdict_points(VERDICT_SLOW), POINTS_GATES);
}
END_TEST

/* What the compiler could not take was never run: no word of loops that do not end. */
START_TEST(a_limit_of_the_compiler_takes_points_and_speaks_of_the_compiler)
{
    ck_assert_int_eq(verdict_points(VERDICT_COMPILER_LIMIT), POINTS_NONE);
    ck_assert_ptr_nonnull(strstr(verdict_sentence(VERDICT_COMPILER_LIMIT), "compiler"));
    ck_assert_ptr_nonnull(strstr(verdict_advice(VERDICT_COMPILER_LIMIT), "instances"));
    ck_assert_ptr_nonnull(strstr(verdict_advice(VERDICT_COMPILER_LIMIT), "unroll"));
}
END_TEST

TESTS("verdict", every_verdict_is_found_by_its_name, the_last_line_of_a_report_fits_100_columns,
      every_error_that_is_kept_says_where_to_look, only_pass_exits_with_zero,
      no_fault_of_the_device_passes, what_the_device_does_not_know_is_no_fault_of_the_submission,
      the_graders_own_failures_cost_no_points,
      a_limit_of_the_compiler_takes_points_and_speaks_of_the_compiler)
