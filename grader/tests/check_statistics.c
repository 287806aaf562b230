/* check_statistics.c - how often the rule on pairs errs, computed exactly.
 *
 * A pair is on the good side of the test point with some probability p. How many are, after each
 * look, is followed through the rule by dynamic programming: no sampling, no luck.
 */
#include "check/examine/statistics.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

struct outcome {
    double fast, slow, pairs; /* probabilities, and how many pairs it takes on average */
};

static struct outcome outcome_of(double p)
{
    double state[STATISTICS_MOST_PAIRS + 2] = {1}; /* by number of good pairs, undecided so far */
    struct outcome outcome = {0, 0, 0};
    for (size_t pairs = 1; pairs <= STATISTICS_MOST_PAIRS; pairs++) {
        for (size_t good = pairs; good > 0; good--)
            state[good] = state[good] * (1 - p) + state[good - 1] * p;
        state[0] *= 1 - p;
        for (size_t good = 0; good <= pairs; good++) {
            enum statistics_answer answer = statistics_decide(pairs, good);
            if (answer == STATISTICS_MORE)
                continue;
            *(answer == STATISTICS_FAST ? &outcome.fast : &outcome.slow) += state[good];
            outcome.pairs += state[good] * (double)pairs;
            state[good] = 0;
        }
    }
    return outcome;
}

/* P(a normal variable is above -z standard deviations). */
static double normal(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

START_TEST(the_rule_always_ends)
{
    for (double p = 0; p <= 1; p += 0.05) {
        struct outcome outcome = outcome_of(p);
        ck_assert_double_eq_tol(outcome.fast + outcome.slow, 1, 1e-12);
    }
}
END_TEST

START_TEST(its_operating_characteristic_is_as_designed)
{
    ck_assert_double_eq_tol(outcome_of(0.5).slow, 0.47, 0.02);
    ck_assert_double_eq_tol(outcome_of(0.6).slow, 6e-3, 2e-3);
    ck_assert_double_lt(outcome_of(0.65).slow, 1e-4);
    ck_assert_double_lt(outcome_of(0.7).slow, 3e-7);
    ck_assert_double_lt(outcome_of(0.9).slow, 1e-15);
    ck_assert_double_lt(outcome_of(0.3).fast, 1e-6);
    ck_assert_double_lt(outcome_of(0.99).pairs, 18.5);
    ck_assert_double_gt(outcome_of(0.5).pairs, 143);
}
END_TEST

/* The contract with learners, on the noisiest machine that still gets a verdict. */
START_TEST(at_the_bar_and_at_its_tolerance_errors_are_rarer_than_one_in_a_thousand)
{
    double spread = STATISTICS_DELTA / 2 / 1.3, bar = 0.85;
    ck_assert(statistics_quiet(spread * 0.999, STATISTICS_DELTA / 2));
    ck_assert(!statistics_quiet(spread * 1.001, STATISTICS_DELTA / 2));
    double at_bar = normal((log(bar) - statistics_test_point(bar)) / spread);
    double too_slow = bar * (1 - STATISTICS_DELTA);
    double at_tolerance = normal((log(too_slow) - statistics_test_point(bar)) / spread);
    ck_assert_double_lt(outcome_of(at_bar).slow, 1e-3);
    ck_assert_double_lt(outcome_of(at_tolerance).fast, 1e-3);
}
END_TEST

/* Twice as fast as asked: noise that could hide the bar's tolerance cannot hide that. */
START_TEST(far_from_the_bar_pairs_may_spread_more)
{
    double distance = log(2), spread = distance / 2 / 1.3;
    ck_assert(statistics_quiet(spread * 0.999, distance));
    ck_assert(statistics_quiet(spread * 0.999, -distance));
    ck_assert(!statistics_quiet(spread * 1.001, distance));
    ck_assert_double_lt(outcome_of(normal(distance / spread)).slow, 1e-6);
    ck_assert_double_lt(outcome_of(normal(-distance / spread)).fast, 1e-6);
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

START_TEST(hopeless_is_only_what_every_pair_says_is)
{
    double slow[STATISTICS_QUICK_PAIRS + 1];
    for (int i = 0; i <= STATISTICS_QUICK_PAIRS; i++)
        slow[i] = log(0.1);
    ck_assert(!statistics_hopeless(slow, STATISTICS_QUICK_PAIRS - 1, 0.8));
    ck_assert(statistics_hopeless(slow, STATISTICS_QUICK_PAIRS, 0.8));
    slow[3] = log(0.41);
    ck_assert(!statistics_hopeless(slow, STATISTICS_QUICK_PAIRS + 1, 0.8));
    ck_assert(statistics_hopeless(slow, STATISTICS_QUICK_PAIRS + 1, 0.85));
}
END_TEST

START_TEST(two_pairs_at_a_twentieth_are_enough)
{
    double slow[] = {log(0.03), log(0.03), log(0.03)};
    ck_assert(!statistics_hopeless(slow, STATISTICS_FEWEST_PAIRS - 1, 0.8));
    ck_assert(statistics_hopeless(slow, STATISTICS_FEWEST_PAIRS, 0.8));
    slow[1] = log(0.05);
    ck_assert(!statistics_hopeless(slow, 3, 0.8));
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
      hopeless_is_only_what_every_pair_says_is, two_pairs_at_a_twentieth_are_enough,
      one_wild_time_moves_neither_median_nor_spread)
