/* small_ahead.h - inputs and truths of the next runs, made while the device is at work.
 *
 * They take about as long as the runs, and need neither the device nor a runner: so a thread makes
 * those of the next few runs, in the order of the runs. It writes to the memory of this process
 * alone; what a run finds is still written when its window is shut (launch.c). What is made depends
 * on the seed, not on when it is made or on who makes it.
 */
#ifndef EXAMINE_SMALL_AHEAD_H
#define EXAMINE_SMALL_AHEAD_H

#include "check/examine/small_run.h"

struct small_ahead;

/* Prepare these runs, in this order. NULL if no thread can be started: then each run prepares
 * itself. */
struct small_ahead *small_ahead_begin(const struct lab *lab, const struct small_run *runs,
                                      size_t count);
/* Call when that run is next, or when runs before it were left out: waits until it is prepared,
 * unless memory did not suffice. */
void small_ahead_reach(struct small_ahead *ahead, size_t run);
/* Stop preparing. ahead may be NULL in both. */
void small_ahead_end(struct small_ahead *ahead);

#endif
