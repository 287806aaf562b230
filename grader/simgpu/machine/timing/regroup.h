/* regroup.h - lanes that go the same way, put together into warps of their own.
 *
 * Of a traced block's lanes some go one way and some another, some go round a loop often and others
 * seldom. Sorted by that, 32 of a kind make a warp that no longer does what it does for others. As
 * every warp of the block then goes through what one of its lanes went through before, each warp
 * has one lane chosen whose way it keeps: so that the chosen lanes are one of each 32 in order.
 */
#ifndef SIM_REGROUP_H
#define SIM_REGROUP_H

#include "timing.h"

enum { NO_LANE = -1 };

/* The chosen lane of each warp of the block, by what lanes do in the basic blocks, by id, that are
 * among gathered; NO_LANE where none was there. False when memory is exhausted. */
bool regroup(const struct module *module, const struct block_trace *block, const bool *gathered,
             int8_t *chosen);

/* The lanes that run the word of the trace, of which *change is the latest change before it: 0 at
 * first. Words are asked for in order. */
lane_mask regroup_lanes(const struct warp_trace *trace, uint32_t word, uint32_t *change);

#endif
