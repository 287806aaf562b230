/* likeness.h - how long blocks that were not replayed take, relative to those that were.
 *
 * The blocks of one multiprocessor are replayed; the launch's counters are those of all blocks. An
 * op of the others costs what it did in the replay, but waits for its own sectors and wavefronts.
 */
#ifndef SIM_LIKENESS_H
#define SIM_LIKENESS_H

#include "multiprocessor.h"

/* The time of a block that was not replayed, of the multiprocessor's share of all blocks, relative
 * to one of the count blocks that were. Blocks past the end of the data have little to do; others
 * may have more. */
double likeness_of_others(const struct launch *launch, const struct replay *replay, uint32_t count);
/* The same for an average block of the launch; 1 when that is about as much. */
double likeness_of_all(const struct launch *launch, const struct replay *replay, uint32_t count);

#endif
