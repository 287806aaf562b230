/* traffic.h - what the traced accesses say of the traffic beyond L1. */
#ifndef SIM_TRAFFIC_H
#define SIM_TRAFFIC_H

#include "timing.h"

struct traffic {
    double l1_misses;        /* the part of all sectors read that L1 would not have, if warps
                                  took turns access by access */
    double sectors_per_line; /* of lines read */
    double fresh;            /* the part of all sectors read whose piece of 64 bytes the
                                  multiprocessor had not asked for */
    /* The part of lines that lie in another page of DRAM than the other lines of their access, and
     * of which little is wanted: near 1 for lanes that go anywhere, 0 for lanes side by side. */
    double scattered_reads, scattered_writes;
    bool writes_in_part; /* of a sector, anywhere */
    double host_misses;  /* as l1_misses, of sectors of the host's memory */
};

/* False when memory is exhausted. */
bool traffic_look(struct traffic *traffic, const struct launch *launch, uint32_t l1_bytes);

#endif
