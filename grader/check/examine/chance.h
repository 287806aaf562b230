/* chance.h - what a few randomly chosen blocks prove about all of them.
 *
 * If found of drawn blocks do something, about the same share of all blocks does. How much larger
 * may that share be? Near the ends a normal distribution gives far too small a bound: where 1 of
 * 256 blocks does the work of all, 8 of 2048 are expected, and 2 are not rare. So the bound is the
 * exact one of the binomial distribution (Clopper and Pearson, 1934).
 */
#ifndef EXAMINE_CHANCE_H
#define EXAMINE_CHANCE_H

#include <stdint.h>

/* An outcome less likely than this is not attributed to chance. A normal variable is four standard
 * deviations too low about this often. */
#define CHANCE_RARE (1.0 / 30000)

/* The largest share of all blocks for which found or fewer of drawn are not rare; 1 if none was
 * drawn. */
double chance_most_share(uint64_t drawn, uint64_t found);
/* The smallest share for which found or more of drawn are not rare. */
double chance_least_share(uint64_t drawn, uint64_t found);

#endif
