/* deal.h - the order in which a launch's blocks begin, where chance decides it.
 *
 * A device promises no order, but it deals blocks out by number, and as many as fit on it are there
 * together. So those may begin in any order, but a block that waits for one with a lower number,
 * which was dealt out before it, must still find it there: turns are exchanged only among as many
 * blocks as the device holds.
 */
#ifndef SIM_RUN_DEAL_H
#define SIM_RUN_DEAL_H

#include <stdint.h>

/* Which of count blocks, or groups of blocks, has that turn. Runs of `together` of them are
 * exchanged among themselves, so that each has one turn. Where two or more are exchanged, they are
 * never in order. */
uint64_t deal_turn(uint64_t seed, uint64_t turn, uint64_t count, uint64_t together);

#endif
