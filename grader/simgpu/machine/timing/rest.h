/* rest.h - what warps do after the end of their traces.
 *
 * Long warps are traced for a while, and what they go on to do is taken to be like it. The counters
 * know better: they cover whole warps. Whatever the traces lack, compared with the counters, has to
 * go through the same schedulers, units and queues.
 */
#ifndef SIM_REST_H
#define SIM_REST_H

#include "multiprocessor.h"

struct rest {
    const struct launch *launch;
    const struct replay *replay;
    const struct hierarchy *hierarchy;
    double active;    /* multiprocessors that share the launch */
    double turns;     /* how often one of them does what was replayed */
    double read_once; /* of sectors that are read, the share that no L1 can have */
};

/* Cycles of the launch. A share of them is for the rest, at the pace of the replay; the result is
 * larger if the rest takes longer than that. */
double rest_cycles(const struct rest *rest, double share, double cycles);

#endif
