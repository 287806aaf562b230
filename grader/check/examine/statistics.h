/* statistics.h - when enough has been measured to say "fast enough" or "not".
 *
 * The contract with a learner is a ratio: reference time / time >= bar. Times are measured in
 * pairs, submission and reference one right after the other, so that clocks and heat cancel. Of
 * each pair only one bit counts: was its log ratio on the good side of a test point? The test point
 * is half of a tolerance delta below the bar. That bit is a fair coin only for a submission that is
 * exactly at the test point; so the number of good pairs is binomial whatever the noise looks like,
 * and a few outliers change nothing.
 *
 * We look after 18, 36, 72 and 144 pairs and stop as soon as one side is clear. The bounds are
 * chosen so that a submission at the bar fails, and one at bar (1 - delta) passes, less than once
 * in a thousand checks, where noise is as on a quiet machine. check_statistics.c computes that;
 * rule.h says what happens with an answer.
 */
#ifndef EXAMINE_STATISTICS_H
#define EXAMINE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#define STATISTICS_DELTA 0.05 /* the least tolerance */

enum {
    STATISTICS_LOOKS = 4,
    STATISTICS_MOST_PAIRS = 144,
    STATISTICS_QUICK_PAIRS = 6,
    STATISTICS_FEWEST_PAIRS = 3,
};

enum statistics_answer { STATISTICS_MORE, STATISTICS_FAST, STATISTICS_SLOW };

/* Pairs after which to look, ascending. */
size_t statistics_look(size_t index);
/* What good out of pairs means at a look; between looks, always STATISTICS_MORE. */
enum statistics_answer statistics_decide(size_t pairs, size_t good);
/* The outcome for a submission whose pairs are good with probability p: computed exactly through
 * the rule, without sampling. */
struct statistics_chances {
    double fast, slow; /* probabilities */
    double pairs;      /* that it takes on average */
};
struct statistics_chances statistics_chances(double p);
/* The probability that a submission is fast enough whose median log ratio is distance above the
 * test point, if pairs and runs, each with new processes, have these standard deviations. */
double statistics_fast_chance(double distance, double pair_sd, double run_sd);

/* Sorts values. */
double statistics_median(double *values, size_t count);
/* Robust standard deviation: 1.4826 x the median distance from the median. Sorts values. */
double statistics_spread(double *values, size_t count);
/* A 95 % interval of the median from order statistics: distribution-free. Sorts values. */
void statistics_interval(double *values, size_t count, double *low, double *high);

/* Can pairs with this spread (sd of log ratios) tell a median that is this far from the test point?
 * Near it the spread has to be small against the tolerance; farther away it may be larger, as long
 * as it hides no more than half of the distance. If not, no verdict on speed is sound. */
bool statistics_quiet(double spread, double delta, double distance);

#endif
