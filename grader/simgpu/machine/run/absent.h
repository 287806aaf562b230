/* absent.h - the grid-wide barrier of a launch of which some blocks run (sample.h).
 *
 * Blocks that do not run have arrived, or will have when it is looked at: each block that runs goes
 * on as if all others had kept pace. How many had arrived before it is drawn, for on a device no
 * block can foresee that. Whether blocks may hear of each other past the barrier is heard.h's; what
 * is doubtful here is a barrier that is used in another way than cooperative_groups.h does, and
 * blocks that do not arrive equally often, of which a device would wait for some in vain.
 */
#ifndef SIM_ABSENT_H
#define SIM_ABSENT_H

#include "launch.h"

struct absent;

/* Of a cooperative launch of which some blocks run, one after the other. NULL without memory. */
struct absent *absent_new(void);
void absent_free(struct absent *absent);

/* Is it an access to the barrier of such a launch? */
static inline bool absent_is_of(const struct launch *launch, const struct allocation *allocation)
{
    return launch->absent && allocation && allocation->address == launch->grid_sync_workspace;
}

/* Such an access is about to be made: the barrier's memory becomes what the block has to find. */
void absent_access(const struct access *access);
/* All threads of the block have ended. */
void absent_block_end(const struct block *block);

#endif
