/* multiprocessor.h - one multiprocessor runs traced blocks, cycle by cycle: schedulers, arithmetic
 * units, registers that are not ready yet, barriers. */
#ifndef SIM_MULTIPROCESSOR_H
#define SIM_MULTIPROCESSOR_H

#include "ledger.h"
#include "schedule.h"
#include "units.h"

/* What ran, in cycles from the start of the first block. */
struct replay {
    double cycles;              /* until the last block was through */
    double issue_end;           /* when the last instruction was issued */
    double half_cycles;         /* until half of all instructions were issued */
    double *start, *finish;     /* by block */
    double issued;              /* issue slots used, of all schedulers */
    double busy[UNITS];         /* of one scheduler's unit, mean over the schedulers */
    struct op_cycles *ops;      /* by op id: what warps spent on it */
    struct op_cycles *half_ops; /* the same, until half_cycles */
    size_t op_count;
};

/* Run the first count blocks of traces, at most traces->resident at once, a new one every
 * block_interval cycles at the earliest. hierarchy is ready and cold. False when memory is
 * exhausted. The caller frees with replay_free, also then. */
bool replay_run(struct replay *replay, const struct launch *launch, uint32_t count,
                double block_interval, struct hierarchy *hierarchy);
void replay_free(struct replay *replay);

#endif
