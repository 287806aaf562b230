/* check_rule.c - what the rule says of rows of pairs, and how seldom it is wrong.
 *
 *     check_rule TABLE VERDICTS     the whole table instead (`make noise-table`)
 */
#include "tests/rule_simulation.h"

#include "tests/check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct rule_seen seen;

/* Pairs with that ratio, a block 1 ms long by both clocks, and nothing wrong with them. */
static void set(double ratio, size_t pairs)
{
    memset(&seen, 0, sizeof seen);
    seen.bar = 0.8;
    seen.delta = STATISTICS_DELTA;
    seen.reference.launches = seen.submission.launches = 10;
    seen.before_ns = seen.after_ns = 1e5;
    for (seen.pairs = 0; seen.pairs < pairs; seen.pairs++) {
        seen.reference.event_ns[seen.pairs] = 1e5;
        seen.reference.wall_ns[seen.pairs] = 1e6 + 2e5;
        seen.submission.event_ns[seen.pairs] = 1e5 / ratio;
        seen.submission.wall_ns[seen.pairs] = 1e6 / ratio + 2e5;
    }
}

START_TEST(what_is_clear_is_told_at_the_first_look)
{
    set(0.8, 17);
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
    set(0.8, 18);
    ck_assert_int_eq(rule_decide(&seen), RULE_FAST);
    ck_assert_int_eq(rule_weigh(&seen), RULE_FAST);
    set(0.75, 18);
    ck_assert_int_eq(rule_decide(&seen), RULE_SLOW);
}
END_TEST

START_TEST(hopeless_is_only_what_every_pair_says_by_as_much)
{
    set(0.3, STATISTICS_QUICK_PAIRS - 1);
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
    set(0.3, STATISTICS_QUICK_PAIRS);
    ck_assert_int_eq(rule_decide(&seen), RULE_SLOW);
    seen.submission.event_ns[3] *= 1.3; /* as if it had met another program */
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
    set(0.03, STATISTICS_FEWEST_PAIRS - 1);
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
    set(0.03, STATISTICS_FEWEST_PAIRS);
    ck_assert_int_eq(rule_decide(&seen), RULE_SLOW);
}
END_TEST

START_TEST(a_time_that_the_clock_does_not_confirm_is_forged)
{
    set(0.7, 72);
    for (size_t i = 0; i < 72; i++)
        seen.submission.event_ns[i] = 1e5;
    ck_assert_int_eq(rule_decide(&seen), RULE_FORGED);
    seen.pairs = 36; /* too early to say so */
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
    set(0.95, 36);
    for (size_t i = 0; i < 36; i++)
        seen.submission.event_ns[i] = 1e5;
    ck_assert_int_eq(rule_decide(&seen), RULE_FAST);
    set(0.9, 72); /* no time at all */
    for (size_t i = 0; i < 72; i++)
        seen.submission.event_ns[i] = 1;
    ck_assert_int_eq(rule_decide(&seen), RULE_FORGED);
}
END_TEST

/* It is slow; then its noise is its own. */
START_TEST(a_submission_cannot_choose_to_be_inconclusive_by_its_own_spread)
{
    set(0.5, 144);
    for (size_t i = 0; i < 144; i++) {
        double factor = i % 4 == 0 ? 0.3 : 1 + 0.1 * (double)(i % 7);
        seen.submission.event_ns[i] *= factor;
        seen.submission.wall_ns[i] *= factor;
    }
    ck_assert_int_eq(rule_decide(&seen), RULE_SLOW);
}
END_TEST

START_TEST(when_the_references_own_times_spread_there_is_no_answer)
{
    set(0.85, 36);
    for (size_t i = 0; i < 36; i++)
        seen.reference.event_ns[i] *= i % 3 == 0 ? 1.3 : i % 3 == 1 ? 1 : 0.8;
    ck_assert_int_eq(rule_decide(&seen), RULE_NOISY);
    seen.pairs = 18;
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
}
END_TEST

START_TEST(a_clock_that_confirms_nothing_does_not_pass_anyone)
{
    set(0.9, 144);
    for (size_t i = 0; i < 144; i++)
        seen.reference.wall_ns[i] += 1e5 * (double)i;
    ck_assert_int_eq(rule_decide(&seen), RULE_UNCONFIRMED);
    seen.pairs = 36; /* longer blocks are worth more than more of them */
    ck_assert_int_eq(rule_decide(&seen), RULE_UNCONFIRMED);
    seen.pairs = 18;
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
    set(0.7, 144); /* nobody claims to be slower than he is */
    for (size_t i = 0; i < 144; i++)
        seen.reference.wall_ns[i] += 1e5 * (double)i;
    ck_assert_int_eq(rule_decide(&seen), RULE_SLOW);
}
END_TEST

START_TEST(pairs_that_are_not_alone_are_left_out_and_end_it_only_when_they_are_most)
{
    set(0.8, 18);
    seen.left_out = 50;
    ck_assert_int_eq(rule_decide(&seen), RULE_FAST);
    seen.pairs = 0;
    ck_assert_int_eq(rule_decide(&seen), RULE_BUSY);
    seen.left_out = 10;
    ck_assert_int_eq(rule_decide(&seen), RULE_MORE);
}
END_TEST

START_TEST(a_reference_that_is_slowed_down_beside_a_submission_does_not_help_it)
{
    set(0.82, 18);
    seen.before_ns = seen.after_ns = 0.9e5;
    ck_assert_int_eq(rule_weigh(&seen), RULE_SLOWED);
    seen.after_ns = 0.8e5; /* alone it was not the same, either */
    ck_assert_int_eq(rule_weigh(&seen), RULE_NOISY);
    set(1.0, 18); /* fast enough against both */
    seen.before_ns = seen.after_ns = 0.9e5;
    ck_assert_int_eq(rule_weigh(&seen), RULE_FAST);
    set(0.82, 18); /* it was slower before, when clocks were low */
    seen.before_ns = 1.2e5;
    ck_assert_int_eq(rule_weigh(&seen), RULE_FAST);
}
END_TEST

static const double RATIOS[] = {0.90, 0.95, 1.00, 1.02};

/* A sample; the whole table: make noise-table. */
START_TEST(wrong_is_rarer_than_one_in_a_thousand_whatever_the_noise)
{
    enum { VERDICTS = 1000 };
    for (size_t noise = 0; noise < SIMULATION_NOISE_COUNT; noise++)
        for (size_t i = 0; i < sizeof RATIOS / sizeof *RATIOS; i++) {
            struct simulation_outcome outcome;
            simulate(&SIMULATION_NOISES[noise], RATIOS[i], 1, VERDICTS, 20 + i, &outcome);
            ck_assert_msg(outcome.wrong <= 1, "%s, %.2f of the bar: %zu of %d wrong",
                          SIMULATION_NOISES[noise].name, RATIOS[i], outcome.wrong, VERDICTS);
            bool quiet = noise < 2;
            ck_assert(!quiet || (outcome.inconclusive <= 1 && outcome.pairs < 30));
        }
}
END_TEST

START_TEST(who_claims_three_quarters_of_his_time_does_not_pass)
{
    struct simulation_outcome outcome;
    simulate(&SIMULATION_NOISES[0], 0.8, 0.75, 500, 7, &outcome);
    ck_assert_uint_eq(outcome.fast, 0);
    simulate(&SIMULATION_NOISES[2], 0.8, 0.75, 500, 8, &outcome);
    ck_assert_uint_eq(outcome.fast, 0);
}
END_TEST

static int print_table(size_t verdicts)
{
    size_t worst = 0;
    printf("%-34s %6s %9s %7s %7s %7s %7s %6s\n", "noise", "ratio", "verdicts", "fast", "slow",
           "none", "wrong", "pairs");
    for (size_t noise = 0; noise < SIMULATION_NOISE_COUNT; noise++)
        for (size_t i = 0; i < sizeof RATIOS / sizeof *RATIOS; i++) {
            struct simulation_outcome outcome;
            simulate(&SIMULATION_NOISES[noise], RATIOS[i], 1, verdicts, i, &outcome);
            worst = outcome.wrong > worst ? outcome.wrong : worst;
            printf("%-34s %6.2f %9zu %7zu %7zu %7zu %7zu %6.1f\n", SIMULATION_NOISES[noise].name,
                   RATIOS[i], outcome.verdicts, outcome.fast, outcome.slow, outcome.inconclusive,
                   outcome.wrong, outcome.pairs);
        }
    printf("wrong: at most %zu of %zu (%.4f %%); \"none\" is INCONCLUSIVE\n", worst, verdicts,
           100 * (double)worst / (double)verdicts);
    return (double)worst > 1e-3 * (double)verdicts;
}

int main(int argc, char **argv)
{
    const TTest *const tests[] = {
        what_is_clear_is_told_at_the_first_look,
        hopeless_is_only_what_every_pair_says_by_as_much,
        a_time_that_the_clock_does_not_confirm_is_forged,
        a_submission_cannot_choose_to_be_inconclusive_by_its_own_spread,
        when_the_references_own_times_spread_there_is_no_answer,
        a_clock_that_confirms_nothing_does_not_pass_anyone,
        pairs_that_are_not_alone_are_left_out_and_end_it_only_when_they_are_most,
        a_reference_that_is_slowed_down_beside_a_submission_does_not_help_it,
        wrong_is_rarer_than_one_in_a_thousand_whatever_the_noise,
        who_claims_three_quarters_of_his_time_does_not_pass,
        NULL};
    if (argc == 3 && strcmp(argv[1], "TABLE") == 0)
        return print_table(strtoull(argv[2], NULL, 10));
    return run_tests("rule", NULL, NULL, tests);
}
