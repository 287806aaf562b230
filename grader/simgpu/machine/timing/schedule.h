/* schedule.h - a function as the timing model runs it: the ops of each basic block in the order
 * ptxas would give them, each with its cost and the registers it reads and writes. */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include "cost.h"

enum { NO_MEMORY = UINT16_MAX };

struct timed_op {
    uint32_t id;                /* of the op, within the module */
    uint32_t registers;         /* where its registers start in the schedule's list */
    uint8_t reads, writes;      /* how many it reads, then how many it writes */
    uint16_t memory;            /* which access of its basic block it is, or NO_MEMORY */
    uint8_t groups_left;        /* of a wait for cp.async */
    struct op_cost cost;
};

struct timed_block {
    uint32_t first, count;      /* into the schedule's ops */
};

/* Owned by the function's module, made when first asked for. */
struct schedule {
    struct timed_op *ops;
    struct timed_block *blocks; /* by basic block of the function */
    uint32_t *registers;        /* numbers, from 0 to register_count - 1 */
    uint16_t *access;           /* by op, in the program's order: which access of its basic block
                                   it is, or NO_MEMORY */
    uint32_t op_count, block_count, register_count;
};

/* NULL when memory is exhausted. */
const struct schedule *schedule_of(const struct function *function,
                                   const struct sim_profile *profile);
void schedule_free(struct schedule *schedule);

#endif
