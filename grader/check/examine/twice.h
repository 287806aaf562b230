/* twice.h - do blocks store to the same places, or nothing, although all together store no more
 * than there is?
 *
 * If two blocks of a sampled launch stored to exactly the same places, one of them has written
 * nothing of its own. That alone is allowed: a grid may have more blocks than it needs. But what
 * all blocks store, with what is known to be stored twice counted once, has to add up to the
 * output. Blocks of one kind (first, last or between along each axis of the grid) usually store
 * equal amounts; where they do not, their difference says how certain the sum is. The number of
 * such blocks, and of those that store nothing, is known better than from those that ran: the
 * device has followed the registers of many more.
 */
#ifndef EXAMINE_TWICE_H
#define EXAMINE_TWICE_H

#include "check/examine/coverage.h"

/* text gets the reason. */
bool twice_leaves_gap(const struct simgpu_report *report, const struct coverage_output *output,
                      char *text, size_t bytes);

#endif
