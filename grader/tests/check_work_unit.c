/* check_work_unit.c - a unit of work is what this processor takes for it, and stays so. */
#include "lib/work_unit.h"

#include "tests/check_main.h"

#include <time.h>
#include <unistd.h>

static double ran_ns(void)
{
    struct timespec ran;
    ck_assert_int_eq(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran), 0);
    return (double)ran.tv_sec * 1e9 + (double)ran.tv_nsec;
}

START_TEST(a_unit_is_as_long_as_some_system_calls)
{
    enum { CALLS = 128 };
    double unit_ns = work_unit_ns(), from_ns = ran_ns();
    for (int i = 0; i < CALLS; i++)
        ck_assert_int_eq(access("/", F_OK), 0);
    double calls_ns = ran_ns() - from_ns;
    ck_assert_double_gt(unit_ns, calls_ns / 50);
    ck_assert_double_lt(unit_ns, calls_ns * 50);
}
END_TEST

START_TEST(all_is_compared_with_the_same_unit)
{
    double unit_ns = work_unit_ns(), from_ns = ran_ns();
    for (int i = 0; i < 1000; i++)
        ck_assert_double_eq(work_unit_ns(), unit_ns);
    ck_assert_double_lt(ran_ns() - from_ns, 100 * unit_ns);
}
END_TEST

TESTS("work_unit", a_unit_is_as_long_as_some_system_calls, all_is_compared_with_the_same_unit)
