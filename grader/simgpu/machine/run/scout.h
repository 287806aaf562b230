/* scout.h - which blocks of a sampled launch are unlike the others?
 *
 * A few blocks run for all. A kernel that lets one block in thousands do something else would be
 * found once in hundreds of checks. But to be another one, a block has to find out that it is, and
 * it does so by comparing numbers. So all warps, or as many as there is time for, are gone through
 * on trial first, in an order that is drawn: registers are computed, memory is left alone (a load
 * gives zeros, but for one of memory that may hold a table), no barrier is waited at, nothing is
 * counted. A comparison that comes out one way in nearly all warps and the other way in very few
 * names the blocks of those few. They run, as themselves. And where all warps come to their ends in
 * the time there is, what they would store is in a ledger, which says what no warp stores.
 */
#ifndef SIM_SCOUT_H
#define SIM_SCOUT_H

#include "launch.h"

/* Numbers of up to most blocks that are unlike others, the rarest first, by the launch's sampling
 * seed. worker: one that has run no block yet; it is left as it was. ledger: may be NULL; spoilt in
 * the end, unless all warps were followed to theirs. May be called when other workers of a sampled
 * launch have run. */
struct ledger;
uint32_t scout_blocks(struct worker *worker, struct ledger *ledger, uint64_t *numbers,
                      uint32_t most);

#endif
