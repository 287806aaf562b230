/* check_calibration.c - the bar has to lie below all right answers and above the slow ones. */
#include "check/calibration.h"

#include "tests/check_main.h"

#include <string.h>

static const char TABLE[] =
    "submission,expected,launcher,measured ratio,low,high,modelled ratio,device,date\n"
    "solution,PASS,first,1.0010,0.99,1.01,1.0000,NVIDIA H200,2026-11-22\n"
    "right/other,PASS,first,0.9900,0.98,1.00,0.9500,NVIDIA H200,2026-11-22\n"
    "right/other,PASS,second,0.8700,0.86,0.88,0.9500,NVIDIA H200,2026-11-22\n"
    "solution,PASS,empty,,,,,NVIDIA H200,2026-11-22\n"
    "slow/long,SLOW utilization,first,1.0000,0.99,1.01,1.0000,NVIDIA H200,2026-11-22\n"
    "slow/long,SLOW utilization,second,0.7000,0.69,0.71,0.6000,NVIDIA H200,2026-11-22\n"
    "slow/counted,SLOW counters,first,0.9900,0.98,1.00,0.9900,NVIDIA H200,2026-11-22\n";

static char reason[300];

static bool holds(const char *table, double bar)
{
    *reason = '\0';
    return calibration_holds(table, bar, reason, sizeof reason);
}

START_TEST(a_bar_between_the_two_holds)
{
    ck_assert(holds(TABLE, 0.8));
    ck_assert(holds(TABLE, 0.87));
    ck_assert(holds(TABLE, 0.71));
}
END_TEST

START_TEST(the_worst_launcher_of_a_submission_counts)
{
    ck_assert(!holds(TABLE, 0.9));
    ck_assert_str_eq(reason, "right/other reaches 0.870 (second), and the bar is 0.90");
    ck_assert(!holds(TABLE, 0.7));
    ck_assert_str_eq(reason, "slow/long reaches 0.700 (second), and the bar is 0.70");
}
END_TEST

START_TEST(a_table_that_says_nothing_does_not_hold)
{
    ck_assert(!holds("", 0.8));
    ck_assert(!holds("submission,expected\n", 0.8));
    ck_assert_str_eq(reason, "it has no right submission in it");
    ck_assert(!holds("submission,expected\nsolution,PASS\n", 0.8));
    ck_assert_str_eq(reason, "the line \"solution,PASS\" is not a row of it");
}
END_TEST

TESTS("calibration", a_bar_between_the_two_holds, the_worst_launcher_of_a_submission_counts,
      a_table_that_says_nothing_does_not_hold)
