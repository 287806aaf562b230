/* keep_sectors.h - requests that are cut down to as few sectors as they need. */
#ifndef SIM_KEEP_SECTORS_H
#define SIM_KEEP_SECTORS_H

#include "sector_set.h"

/* What the requests of one op are cut down to, on average. The fraction that a whole number leaves
 * over is carried to the next request. */
struct portion {
    double each, owed;
    uint64_t taken; /* how often one was asked for */
};

/* What the next request is cut down to, but not below least. */
uint32_t portion_take(struct portion *portion, uint32_t least);

/* Put as many sectors as the portion wants into kept, of the count lines that a request touched.
 * Those that no other request of the thread block has kept (the others are in before) come first,
 * so that together they go through all of them; others may have to do. Returns of how many lines
 * they are. */
uint32_t keep_sectors(struct portion *portion, struct sector_set *before, const uint32_t *lines,
                      uint32_t count, uint32_t *kept);

#endif
