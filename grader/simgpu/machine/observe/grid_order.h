/* grid_order.h - which accesses of other blocks come before a thread's own.
 *
 * Blocks are ordered by fences and by what is read after them: a thread writes, passes a fence and
 * sets a flag; another reads the flag. Fences of the grid's scope are numbered as they are passed.
 * For each of its fences, a block keeps the time of each warp up to which the fence covers its
 * accesses. A location that is written keeps the number of the writer's latest fence, and a thread
 * that reads it with an atomic or a strong load has acquired the fences up to that number; barriers
 * of the block hand that on (struct far in clocks.h). An access comes before this thread's when a
 * fence of its block covers it and has a number that this thread has acquired.
 *
 * One number stands for all fences up to it, whichever threads passed them, and reading a flag
 * acquires with or without a fence after it. Both order more than PTX promises, so no false race is
 * reported. What a device needs on the writer's side, the fence before the flag, must be there.
 *
 * The numbers depend on the order in which blocks run, so such a launch has one worker.
 */
#ifndef SIM_GRID_ORDER_H
#define SIM_GRID_ORDER_H

#include "clocks.h"

struct grid_order;

/* NULL when memory is exhausted. */
struct grid_order *grid_order_new(uint64_t block_count, uint32_t warp_count);
void grid_order_free(struct grid_order *order);

/* A warp of the block passes a fence. False when memory is exhausted. */
bool grid_order_fence(struct grid_order *order, uint64_t block, uint32_t warp,
                      struct clocks *clocks);
/* The number of a fence of the block is now to be read at some location. */
void grid_order_publish(struct grid_order *order, uint64_t block, uint32_t released);
/* The number of the latest fence of all. */
uint32_t grid_order_latest(const struct grid_order *order);
/* Is time of warp of block covered by a fence up to number acquired? */
bool grid_order_covers(const struct grid_order *order, uint64_t block, uint32_t warp, uint32_t time,
                       uint32_t acquired);

#endif
