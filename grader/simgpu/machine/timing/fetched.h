/* fetched.h - which requests to L2 have to wait for DRAM.
 *
 * A line comes from DRAM when it is first wanted. The blocks of a wave often go through the same
 * lines in step: then all of them wait for it, not only the one that asked first. And a line that
 * was in L2 is gone when enough others were touched since: it comes from DRAM again.
 */
#ifndef SIM_FETCHED_H
#define SIM_FETCHED_H

#include "machine_internal.h"

enum fetched_when {
    FETCHED_FIRST_WAVE,
    FETCHED_LATER,
    FETCHED_EVER,
    FETCHED_AGAIN,
    /* by a block that had asked before */ FETCHED_TIMES
};

struct fetched {
    /* By op id: the part of its requests that wait for DRAM; negative when it is not known. */
    float (*late)[FETCHED_TIMES];
    double *again_bytes; /* by op id: that DRAM reads once more */
};

/* Fill in launch->fetched from the launch's touches (touches.h), when all workers are done. It
 * stays NULL when memory is exhausted. */
void fetched_find(struct launch *launch);
void fetched_free(struct launch *launch);

#endif
