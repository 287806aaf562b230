/* rule.h - from a submission's measurements to "fast enough", "too slow", or why neither.
 *
 * Pairs of blocks give log ratios, and a sign test on them gives the answer (statistics.h). Before
 * it counts, three things have to hold, all of them by the grader's own measurements: nothing that
 * a submission does or claims can turn "too slow" into "cannot tell".
 *
 *     alone      the device did nothing else at both ends of each block; pairs of which that is not
 *                true are left out, and only when nearly all of them are is there no answer
 *     quiet      the reference's own times, block after block, spread so little that pairs can
 *                resolve the distance that was found. The submission's own spread is its own
 * matter:                the median of its times is what it has to answer for
 *     confirmed  the grader's clock agrees with the times that a fast submission's process claims.
 *                What a window takes besides its launches is known from the reference's windows
 *
 * Pure functions of numbers: check_rule.c and rule_simulation.c test them with noise of many kinds.
 */
#ifndef EXAMINE_RULE_H
#define EXAMINE_RULE_H

#include "check/examine/statistics.h"

#include <stdint.h>

struct rule_side {
    double event_ns[STATISTICS_MOST_PAIRS]; /* a launch, as its process claims */
    double wall_ns[STATISTICS_MOST_PAIRS];  /* the whole window, by the grader's clock */
    uint32_t launches;                      /* of a block */
};

struct rule_seen {
    double bar;   /* required: reference time / time */
    double delta; /* tolerance, in the learner's favour: STATISTICS_DELTA or more */
    struct rule_side reference, submission;
    size_t pairs;
    size_t left_out;            /* pairs that were not alone */
    double before_ns, after_ns; /* a launch of the reference, without the submission's process */
};

enum rule_answer {
    RULE_MORE, /* measure another pair */
    RULE_FAST,
    RULE_SLOW,
    RULE_BUSY,        /* the device had other work in nearly all pairs */
    RULE_NOISY,       /* the reference's own times spread too much */
    RULE_UNCONFIRMED, /* the grader's clock is too coarse to confirm the events */
    RULE_FORGED,      /* the grader's clock says that the events are wrong */
    RULE_SLOWED,      /* the reference is slower next to the submission than alone, and it
                                * would be too slow against the reference alone */
};

double rule_log_ratio(const struct rule_seen *seen, size_t pair);
/* After each pair, counted or left out. */
enum rule_answer rule_decide(const struct rule_seen *seen);
/* When the reference has been timed alone again: does RULE_FAST still hold? */
enum rule_answer rule_weigh(const struct rule_seen *seen);

/* --- Figures of it, for reports --------------------------------------------------------------- */

/* Robust standard deviation of the reference's log times, from one block to the next. */
double rule_noise(const struct rule_seen *seen);
/* The time of a launch by the grader's clock, and how far off that may be. */
double rule_clock_ns(const struct rule_seen *seen, double *off_by_ns);

#endif
