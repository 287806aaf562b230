/* strata.h - numbers drawn by chance from a range, one from each of its equal parts.
 *
 * The parts come in an order of which each beginning meets the whole range evenly: steps near the
 * golden section, from a part that chance chooses. A set of numbers, whichever it is, is missed no
 * more often than by as many independent draws from the whole range, and a mean over the numbers
 * drawn varies no more than over those (stratified sampling: Cochran, Sampling Techniques, 1977,
 * chapter 5); if the set is one stretch, much less often.
 */
#ifndef SIM_STRATA_H
#define SIM_STRATA_H

#include <stdint.h>

struct strata {
    uint64_t range, parts; /* numbers 0 to range - 1; at least one each */
    uint64_t step, part;   /* part: the next one */
};

/* parts: at most as many as there are numbers are made. *random: the state of sample_random(). */
struct strata strata_of(uint64_t range, uint64_t parts, uint64_t *random);

/* After all parts the first one comes again. */
uint64_t strata_draw(struct strata *strata, uint64_t *random);

#endif
