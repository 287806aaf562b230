/* twins.h - two blocks of a launch that store to the same places.
 *
 * If all blocks together store about as much as there is, and two of them store the same, some
 * place is left out. Among millions of blocks chance does not find the other one. So it is looked
 * for where mistakes put it: some power of two away from a block that runs, by an index or by the
 * block's number, or where the place that a block stores to would belong if blocks lay in rows. The
 * first threads of all these are followed by their registers (scout.h); blocks whose first threads
 * store to the same places are twins, as it seems. Whether they are, shows when they run. So it
 * does for blocks whose first threads store nothing, though others' do. Where there are any of
 * either, blocks drawn from the whole grid, and what their twins would be, tell how many. If a
 * drawn one could not be followed to its end, neither is claimed of it: it may be long because it
 * does the work of others. And where most store nothing, some that do are named: those that ran may
 * all be idle, and then nobody knows how much a block stores at most.
 */
#ifndef SIM_TWINS_H
#define SIM_TWINS_H

#include "launch.h"

/* So many of the blocks that ran are looked at. */
enum { TWINS_MOST_RUN = 160 };
/* So many are named since they seem to store nothing. */
enum { TWINS_MOST_IDLE = 4 };
/* And so many since they store, where most do not. */
enum { TWINS_MOST_BUSY = 2 };

struct twins {
    struct sim_twins share; /* of all blocks, where there are any */
    uint64_t *numbers;      /* of up to most blocks */
    uint32_t most, count;
    uint32_t idle; /* the last of these: they seem to store nothing */
    uint32_t busy; /* the ones before: they store, as few do */
};

/* Blocks that did not run: each stores where one of the ran_count that did, as it seems, or another
 * one of the numbers; or nothing. The caller gives numbers and most. worker: one that has run no
 * block yet. */
void twins_find(struct worker *worker, const uint64_t *ran, uint32_t ran_count,
                struct twins *twins);

#endif
