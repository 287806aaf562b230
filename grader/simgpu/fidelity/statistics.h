/* statistics.h - how well one list of numbers follows another. */
#ifndef FIDELITY_STATISTICS_H
#define FIDELITY_STATISTICS_H

#include <stddef.h>

/* The middle of count numbers, or the mean of the two in the middle; sorts values. NAN for none. */
double statistics_median(double *values, size_t count);

/* The number below which `part` (0 to 1) of them lie, interpolated linearly between two of them;
 * sorts values. NAN when there are none. */
double statistics_quantile(double *values, size_t count, double part);

/* Spearman's rank correlation of a with b, count numbers each: 1 when both are in the same order,
 * -1 when in opposite orders. Equal numbers share the mean of their ranks. NAN for fewer than two
 * numbers, or when all of a list are equal, or memory is exhausted. */
double statistics_spearman(const double *a, const double *b, size_t count);

/* Two of the numbers: measured has slow more than `apart` times as long as fast, modelled has slow
 * the shorter one. */
struct statistics_reversal {
    size_t fast, slow;
    double measured_ratio; /* slow over fast, above apart */
    double modelled_ratio; /* slow over fast, below 1 */
};

struct statistics_order {
    size_t pairs;    /* that measured has more than `apart` times apart */
    size_t reversed; /* of those */
    size_t worst_count;
    struct statistics_reversal worst[4]; /* the furthest reversed, worst first */
};

/* Of all pairs of count positive numbers. */
void statistics_order(const double *measured, const double *modelled, size_t count, double apart,
                      struct statistics_order *order);

#endif
