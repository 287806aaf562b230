/* regroup.h - lanes that take the same path, put together into warps of their own.
 *
 * Of a traced block's lanes, some take one path and some another; some go round a loop often and
 * others seldom. Sorted by path, 32 lanes of a kind make a warp that no longer does what only other
 * lanes need. Every warp of the block then goes through what one of its lanes went through before:
 * for each warp, one lane is chosen whose path it keeps, so that of each 32 sorted lanes one is
 * chosen.
 */
#ifndef SIM_REGROUP_H
#define SIM_REGROUP_H

#include "timing.h"

enum { NO_LANE = -1 };

/* The chosen lane of each warp of the block, by what lanes do in the basic blocks that are among
 * gathered (by id); NO_LANE where no lane was in them. False when memory is exhausted. */
bool regroup(const struct module *module, const struct block_trace *block, const bool *gathered,
             int8_t *chosen);

/* The lanes that run the word of the trace, of which *change is the latest change before it: 0 at
 * first. Words are asked for in order. */
lane_mask regroup_lanes(const struct warp_trace *trace, uint32_t word, uint32_t *change);

#endif
