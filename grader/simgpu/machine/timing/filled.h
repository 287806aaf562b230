/* filled.h - a sampled launch (sample.h) may have run fewer blocks than a multiprocessor holds. */
#ifndef SIM_FILLED_H
#define SIM_FILLED_H

#include "timing.h"

/* NULL when the traced blocks fill the multiprocessor, or are all it gets, or memory is exhausted.
 * Else traces in which it is full: the additional blocks do what those that ran did, each at
 * another place in global memory. They use the launch's, and are freed with filled_free. */
struct traces *filled_up(const struct launch *launch);
void filled_free(struct traces *traces);

#endif
