/* schedule.h - a function as the timing model runs it: the ops of each basic block in the order
 * ptxas would give them, each with its cost and the registers it reads and writes. */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include "cost.h"

enum { NO_MEMORY = UINT16_MAX };

struct timed_op {
    uint32_t id;           /* of the op, within the module */
    uint32_t registers;    /* where its registers start in the schedule's list */
    uint8_t reads, writes; /* how many it reads, then how many it writes */
    uint16_t memory;       /* which access of its basic block it is, or NO_MEMORY */
    uint8_t groups_left;   /* of a wait for cp.async */
    bool awaits_copies;    /* an arrival at an mbarrier, when the copies so far are done */
    uint8_t merged_words;  /* of a load that others became part of: 2 or 4; else 0 */
    uint8_t member;        /* of which basic block of a joined run it is */
    uint16_t spill_count;  /* registers stored to local memory or loaded for it, */
    uint32_t first_spill;  /* from here on in the function's list */
    struct op_cost cost;
};

struct timed_block {
    uint32_t first, count; /* into the schedule's ops */
    uint16_t accesses;     /* to memory */
    uint16_t issues;       /* of all its ops */
    uint8_t members;       /* of a joined run: basic blocks, one after the other */
    bool predicated;       /* its branch is none: ptxas switches off what it would skip */
};

/* An op's place among the accesses of its basic block, or NO_MEMORY. */
struct timed_access {
    uint16_t number;
    bool past_l1;
};

enum { UNROLL = 4, MOST_MEMBERS = 32 };

/* Owned by the module's model (module_model.h), made when first asked for. */
struct schedule {
    struct timed_op *ops;
    struct timed_block *blocks; /* by basic block of the function */
    struct timed_block *joined; /* the run that starts with it as one (join.c); count 0 for most */
    struct timed_block *unrolled; /* UNROLL turns of it as one; count 0 for most */
    uint32_t *registers;          /* numbers, from 0 to register_count - 1 */
    struct timed_access *access;  /* by op, in the program's order */
    uint32_t op_count, block_count, register_count;
    const struct schedule *original; /* of a thinned one (thin.h), for a while in its place */
};

/* NULL when memory is exhausted. */
const struct schedule *schedule_of(const struct function *function,
                                   const struct sim_profile *profile);
/* The same if it was asked for before; else NULL. */
const struct schedule *schedule_made(const struct function *function);
void schedule_free(struct schedule *schedule);

#endif
