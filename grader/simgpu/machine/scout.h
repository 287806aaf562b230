/* scout.h - which blocks of a sampled launch are unlike the others?
 *
 * A few blocks run for all. A kernel that lets one block in thousands do something else would be
 * found once in hundreds of checks. But to be another one, a block has to find out that it is, and
 * it does so by comparing numbers. So all warps, or as many as there is time for, are gone through
 * on trial first, in an order that is drawn: registers are computed, memory is left alone (a load
 * gives zeros), no barrier is waited at, nothing is counted. A comparison that comes out one way in
 * nearly all warps and the other way in very few names the blocks of those few. They run, as
 * themselves.
 */
#ifndef SIM_SCOUT_H
#define SIM_SCOUT_H

#include "launch.h"

/* Numbers of up to most blocks that are unlike others, the rarest first, by the launch's sampling
 * seed. worker: one that has run no block yet; it is left as it was. May be called when other
 * workers of a sampled launch have run. */
uint32_t scout_blocks(struct worker *worker, uint64_t *numbers, uint32_t most);

#endif
