/* absent.h - the grid-wide barrier of a launch of which some blocks run (sample.h).
 *
 * Blocks that do not run count as arrived by the time the barrier is read: each block that runs
 * goes on as if all others had kept pace. How many of them arrived before it is drawn, since on a
 * device no block can foresee that. What blocks may learn of each other besides is decided in
 * heard.h. Two things make a launch doubtful here: a barrier that is used in another way than
 * cooperative_groups.h uses it, and blocks that do not arrive equally often, some of which a device
 * would wait for in vain.
 */
#ifndef SIM_ABSENT_H
#define SIM_ABSENT_H

#include "launch.h"

struct absent;

/* For a cooperative launch of which some blocks run, one after the other. NULL when memory is
 * exhausted. */
struct absent *absent_new(void);
void absent_free(struct absent *absent);

/* Is it an access to the barrier of such a launch? */
static inline bool absent_is_of(const struct launch *launch, const struct allocation *allocation)
{
    return launch->absent && allocation && allocation->address == launch->grid_sync_workspace;
}

/* To be called before such an access: writes to the barrier's memory what the block has to find. */
void absent_access(const struct access *access);
/* All threads of the block have ended. */
void absent_block_end(const struct block *block);

#endif
