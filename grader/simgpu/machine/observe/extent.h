/* extent.h - which bytes of global memory a launch touches, and how: what its extent is made of.
 *
 * A map has a bit for each byte of a part of an allocation, and there is one for each way to touch
 * it. Each worker keeps maps of its own (extent.c), and when the launch is over they become ranges
 * (extent_ranges.c).
 */
#ifndef SIM_EXTENT_H
#define SIM_EXTENT_H

#include "site.h"

/* Bytes of an allocation that have one map; its words. */
enum { PART_BYTES = 1 << 15, PART_WORDS = PART_BYTES / 64 };

/* What one worker touched of one allocation. A kernel may free it, but its address is not given
 * out again. */
struct touched_parts {
    struct touched_parts *next;
    uint64_t address, size_bytes;
    size_t part_count;
    uint64_t **maps; /* by part and then by enum sim_touch; NULL where there was no access */
};

struct launch;

/* What all workers touched; by worker, NULL where it touched nothing. */
struct touched_parts *const *extent_parts(const struct launch *launch);

/* Has some thread of it passed a fence of the device's scope? */
bool extent_has_fences(const struct launch *launch);

#endif
