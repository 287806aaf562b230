/* spread_data.h - what the memory of a spread case (spread.h) holds before its launch. */
#ifndef EXAMINE_SPREAD_DATA_H
#define EXAMINE_SPREAD_DATA_H

#include "check/examine/spread.h"

/* The period of input number i, and how its elements are read. False without memory. */
bool spread_make_period(const struct lab *lab, struct spread *spread, size_t i);
/* What output number i holds at first, on the simulated device. False without memory. */
bool spread_make_poison(const struct lab *lab, struct spread *spread, size_t i);

/* The initial bytes of a part's memory, from at on, if they come from the period in a drawn
 * order. */
void spread_read_order(const struct spread *spread, size_t i, uint64_t at, uint64_t bytes,
                       unsigned char *to);
/* What the memory of a part repeats from its first byte on (element 0 comes after the offset), or
 * what its sectors are drawn from. The caller frees it. */
unsigned char *spread_pattern_of(const struct spread *spread, size_t i, uint64_t *bytes);

#endif
