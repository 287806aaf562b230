/* chance.h - what a few blocks that chance chose prove about all of them.
 *
 * If found of drawn blocks do something, about as large a share of all blocks does. How much larger
 * may it be? Near the ends a normal distribution says far too little: where 1 of 256 blocks does
 * the work of all, 8 of 2048 are to be expected, and 2 are no rarity. So the bound is the exact one
 * of the binomial distribution (Clopper and Pearson, 1934).
 */
#ifndef EXAMINE_CHANCE_H
#define EXAMINE_CHANCE_H

#include <stdint.h>

/* What happens by chance more rarely than this is not taken for chance: about as often is a normal
 * variable four standard deviations too low. */
#define CHANCE_RARE (1.0 / 30000)

/* The largest share of all of which found or fewer of drawn are no rarity; 1 if none was drawn. */
double chance_most_share(uint64_t drawn, uint64_t found);
/* The smallest share of which found or more are none. */
double chance_least_share(uint64_t drawn, uint64_t found);

#endif
