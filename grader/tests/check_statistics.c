/* check_statistics.c - how often the rule on pairs errs, computed exactly.
 *
 * A pair is on the good side of the test point with some probability p; statistics_chances follows
 * that through the rule.
 */
#include "check/examine/statistics.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

/* P(a normal variable is above -z standard deviations). */
static double normal(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

START_TEST(the_rule_always_ends)
{
    for (double p = 0; p <= 1; p += 0.05) {
        struct statistics_chances outcome = statistics_chances(p);
        ck_assert_double_eq_tol(outcome.fast + outcome.slow, 1, 1e-12);
    }
}
END_TEST

START_TEST(its_operating_characteristic_is_as_designed)
{
    ck_assert_double_eq_tol(statistics_chances(0.5).slow, 0.47, 0.02);
    ck_assert_double_eq_tol(statistics_chances(0.6).slow, 6e-3, 2e-3);
    ck_assert_double_lt(statistics_chances(0.65).slow, 1e-4);
    ck_assert_double_lt(statistics_chances(0.7).slow, 3e-7);
    ck_assert_double_lt(statistics_chances(0.9).slow, 1e-15);
    ck_assert_double_lt(statistics_chances(0.3).fast, 1e-6);
    ck_assert_double_lt(statistics_chances(0.99).pairs, 18.5);
    ck_assert_double_gt(statistics_chances(0.5).pairs, 143);
}
END_TEST

/* The contract with learners, on the noisiest machine that still gets a verdict. */
START_TEST(at_the_bar_and_at_its_tolerance_errors_are_rarer_than_one_in_a_thousand)
{
    double spread = STATISTICS_DELTA / 2 / 1.3, bar = 0.85;
    ck_assert(statistics_quiet(spread * 0.999, STATISTICS_DELTA, STATISTICS_DELTA / 2));
    ck_assert(!statistics_quiet(spread * 1.001, STATISTICS_DELTA, STATISTICS_DELTA / 2));
    double test_point = log(bar) - STATISTICS_DELTA / 2; /* rule.c */
    double at_bar = normal((log(bar) - test_point) / spread);
    double too_slow = bar * (1 - STATISTICS_DELTA);
    double at_tolerance = normal((log(too_slow) - test_point) / spread);
    ck_assert_double_lt(statistics_chances(at_bar).slow, 1e-3);
    ck_assert_double_lt(statistics_chances(at_tolerance).fast, 1e-3);
}
END_TEST

/* Twice as fast as asked: noise that could hide the bar's tolerance cannot hide that. */
START_TEST(far_from_the_bar_pairs_may_spread_more)
{
    double distance = log(2), spread = distance / 2 / 1.3;
    ck_assert(statistics_quiet(spread * 0.999, STATISTICS_DELTA, distance));
    ck_assert(statistics_quiet(spread * 0.999, STATISTICS_DELTA, -distance));
    ck_assert(!statistics_quiet(spread * 1.001, STATISTICS_DELTA, distance));
    ck_assert_double_lt(statistics_chances(normal(distance / spread)).slow, 1e-6);
    ck_assert_double_lt(statistics_chances(normal(-distance / spread)).fast, 1e-6);
}
END_TEST

START_TEST(between_looks_nothing_is_decided)
{
    ck_assert_int_eq(statistics_decide(17, 17), STATISTICS_MORE);
    ck_assert_int_eq(statistics_decide(19, 0), STATISTICS_MORE);
    ck_assert_int_eq(statistics_decide(18, 17), STATISTICS_FAST);
    ck_assert_int_eq(statistics_decide(18, 1), STATISTICS_SLOW);
    ck_assert_int_eq(statistics_decide(18, 9), STATISTICS_MORE);
    ck_assert_int_eq(statistics_decide(144, 72), STATISTICS_FAST);
    ck_assert_int_eq(statistics_decide(144, 71), STATISTICS_SLOW);
}
END_TEST

START_TEST(chances_of_a_run_are_those_of_its_pairs_spread_by_the_run)
{
    ck_assert_double_gt(statistics_fast_chance(0.025, 0.005, 0.003), 1 - 1e-6);
    ck_assert_double_lt(statistics_fast_chance(-0.025, 0.005, 0.003), 1e-6);
    ck_assert_double_eq_tol(statistics_fast_chance(0, 0.005, 0.01), 0.5, 0.02);
    ck_assert_double_eq_tol(statistics_fast_chance(0.01, 0.001, 0.01), normal(1), 0.03);
}
END_TEST

START_TEST(one_wild_time_moves_neither_median_nor_spread)
{
    double values[] = {1.00, 1.01, 0.99, 1.02, 900, 0.98, 1.00}, low, high;
    ck_assert_double_eq(statistics_median(values, 7), 1.00);
    ck_assert_double_lt(statistics_spread(values, 7), 0.02);
    statistics_interval(values, 7, &low, &high);
    ck_assert_double_le(low, 1.00);
    ck_assert_double_ge(high, 1.00);
    ck_assert(isnan(statistics_median(values, 0)));
}
END_TEST

TESTS("statistics", the_rule_always_ends, its_operating_characteristic_is_as_designed,
      at_the_bar_and_at_its_tolerance_errors_are_rarer_than_one_in_a_thousand,
      far_from_the_bar_pairs_may_spread_more, between_looks_nothing_is_decided,
      chances_of_a_run_are_those_of_its_pairs_spread_by_the_run,
      one_wild_time_moves_neither_median_nor_spread)
