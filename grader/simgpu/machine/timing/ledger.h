/* ledger.h - where the warps' cycles of a replay went, by op: this gives the cost of each source
 * line.
 *
 * The time of a warp that cannot go on is charged to the op it waits for: to the load, not to the
 * addition that wants its value. And the time it spends in a queue - of L1, of L2, of DRAM, for a
 * turn to issue - is charged to all ops in proportion to the work they gave that part: after a
 * store of 32 sectors a load of 4 waits long, and it is not the load that must be mended.
 */
#ifndef SIM_LEDGER_H
#define SIM_LEDGER_H

#include "hierarchy.h"

struct op_cycles {
    double executions;       /* by a warp, in the replay */
    double waits[SIM_WAITS]; /* warps' cycles, by the reason they were spent for */
    double sectors, passes;  /* that it touched, and that shared memory took, in the replay */
    enum sim_wait brings;    /* what waiting for its result is called */
    struct asker asked;      /* of the memory */
};

/* Fill in modelled_ns of each of the launch's ops: its part of time_ns. ops, by op id, is changed:
 * queues are shared out. */
void ledger_close(struct op_cycles *ops, struct launch *launch, double time_ns);

#endif
