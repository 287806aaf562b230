/* scout.h - which blocks of a sampled launch are unlike the others?
 *
 * A few blocks run for all. A kernel in which one block in thousands does something else would be
 * caught only once in hundreds of checks. But such a block has to find out that it is the one, and
 * it does so by comparing numbers. So all warps, or as many as there is time for, are first run on
 * trial, in an order that is drawn: registers are computed, memory is left alone (a load gives
 * zeros, unless the memory may hold a table), no barrier is waited at, and nothing is counted. A
 * comparison that comes out one way in nearly all warps and the other way in very few names the
 * blocks of those few. These blocks run, and stand for themselves alone. And where all warps come
 * to their ends in the time there is, a ledger has what they would store, and so tells what no warp
 * stores.
 */
#ifndef SIM_SCOUT_H
#define SIM_SCOUT_H

#include "launch.h"

/* Numbers of up to most blocks that are unlike others, the rarest first, by the launch's sampling
 * seed. worker: one that has run no block yet; it is left as it was. ledger: may be NULL; it is
 * spoilt unless all warps were followed to their ends. May be called when other workers of a
 * sampled launch have run. */
struct ledger;
uint32_t scout_blocks(struct worker *worker, struct ledger *ledger, uint64_t *numbers,
                      uint32_t most);

/* The prints of count blocks, whose numbers are given. They take up to most warp instructions, and
 * some; blocks for which there are none left are not known, and neither are those that take very
 * long, with the others of their warp: a warp goes through 32 of them, each lane for another block.
 * Where lanes of a warp tell each other what depends on the block, prints are wrong. */
void scout_first_threads(struct worker *worker, struct block_print *prints, uint32_t count,
                         uint64_t most);

#endif
