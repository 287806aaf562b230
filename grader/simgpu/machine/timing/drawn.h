/* drawn.h - launches whose blocks draw their work from a counter.
 *
 * The machine runs blocks one after the other, so the first ones draw nearly all the work, and the
 * others find nothing left. On a device all resident blocks draw, and share the work evenly.
 */
#ifndef SIM_DRAWN_H
#define SIM_DRAWN_H

#include "timing.h"

/* NULL when no work was drawn, or memory is exhausted. Else traces in which each block of
 * multiprocessor 0 does what the first one did, but no more than its share of all work; they use
 * the launch's, and are freed with drawn_free. */
struct traces *drawn_evenly(const struct launch *launch);
void drawn_free(struct traces *traces);

#endif
