/* rule_simulation.h - tests the rule under noise: how often is its answer wrong?
 *
 * A simulated GPU gives blocks their times: the true time, times noise of many kinds. Every verdict
 * is drawn from a seed, so that a table is the same each time it is made. These answers are wrong:
 * too slow, though the true ratio is the bar or more; fast enough, though it is 0.95 of the bar or
 * less; and a forger, though there is none.
 */
#ifndef TESTS_RULE_SIMULATION_H
#define TESTS_RULE_SIMULATION_H

#include "check/examine/rule.h"

struct simulation_noise {
    const char *name;
    double sd;         /* of the logarithm of one block's time */
    double process_sd; /* the same for all blocks of one process */
    double spikes;     /* share of blocks that take up to 5 % longer */
    double drift;      /* of the clock rate, a random walk: sd of one step */
    double hit;        /* share of time in which another program works, ... */
    double hit_ns;     /* ... in stretches so long */
    double slice_ns;   /* what it takes at a time, of a block that it meets */
    bool seen;         /* and is seen by the grader at a block's ends */
    bool all_along;    /* it slows everything down by a fifth */
    double wall_sd_ns; /* of a window */
};
extern const struct simulation_noise SIMULATION_NOISES[];
extern const size_t SIMULATION_NOISE_COUNT;

struct simulation_outcome {
    size_t verdicts, fast, slow, inconclusive, wrong;
    double pairs; /* measured on average, those left out as well */
};

/* true_ratio is of the bar. forged: the submission claims a time that is so much shorter than its
 * own (1: the truth). */
void simulate(const struct simulation_noise *noise, double true_ratio, double forged,
              size_t verdicts, uint64_t seed, struct simulation_outcome *outcome);

#endif
