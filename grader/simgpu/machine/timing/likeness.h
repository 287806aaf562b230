/* likeness.h - what blocks that were not replayed take, to what those that were do.
 *
 * The blocks of one multiprocessor are replayed; the launch's counters are those of all blocks. An
 * op of the others costs what it did in the replay, but waits for its own sectors and wavefronts.
 */
#ifndef SIM_LIKENESS_H
#define SIM_LIKENESS_H

#include "multiprocessor.h"

/* Of a block that was not replayed, of the multiprocessor's share of all blocks, to one of the
 * count that were. Blocks past the end of the data have little to do; others may have more. */
double likeness_of_others(const struct launch *launch, const struct replay *replay, uint32_t count);
/* Of a block of the launch on average; 1 when that is about as much. */
double likeness_of_all(const struct launch *launch, const struct replay *replay, uint32_t count);

#endif
