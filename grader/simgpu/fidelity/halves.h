/* halves.h - how well times are modelled, for the older launches and for each half of the fresh
 * ones (set_aside.h): rank correlation, errors, reversed pairs, and what one mend gains. */
#ifndef FIDELITY_HALVES_H
#define FIDELITY_HALVES_H

#include "comparison.h"

/* Prints the half's figures, and a sentence for each demand that it misses; returns how many those
 * are. A half without launches prints nothing and misses nothing. */
int halves_report(const struct comparison *comparison, enum half half);

#endif
