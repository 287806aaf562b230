/* deal.h - in which order a launch's blocks begin, where chance decides.
 *
 * A device promises no order, but it deals blocks out by number, and as many as fit on it are there
 * together. So any order of those may come about, and a block that waits for one with a lower
 * number, which was dealt out before it, still meets it: turns are exchanged only within as many
 * blocks as the device holds.
 */
#ifndef SIM_RUN_DEAL_H
#define SIM_RUN_DEAL_H

#include <stdint.h>

/* Which of count blocks, or groups of blocks, has that turn, where each so many are exchanged among
 * themselves: each has one. Never in order where two or more are exchanged. */
uint64_t deal_turn(uint64_t seed, uint64_t turn, uint64_t count, uint64_t together);

#endif
