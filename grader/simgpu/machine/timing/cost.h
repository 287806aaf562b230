/* cost.h - which machine instructions ptxas makes of an op, and what they keep busy. */
#ifndef SIM_COST_H
#define SIM_COST_H

#include "machine_internal.h"

enum cost_kind {
    COST_ARITHMETIC,
    COST_MEMORY,   /* where it goes, the trace says */
    COST_EXCHANGE, /* shuffles: they go through shared memory's crossbar */
    COST_BARRIER,
    COST_BRANCH,
    COST_COPY,    /* cp.async: no op waits for its result */
    COST_BULK,    /* the same, of bulk copies */
    COST_COMMIT,  /* the copies so far make a group */
    COST_WAIT,    /* until few enough groups are under way */
    COST_ARRIVAL, /* at an mbarrier: no warp waits for it here */
    COST_PHASE,   /* until a phase of an mbarrier is over */
    COST_FENCE,   /* until what the warp has stored is seen by others */
    COST_SLEEP,   /* for as long as the trace says */
};

/* Machine instructions of each unit; see costs.def. None at all: the op costs nothing. */
struct op_cost {
    uint8_t kind;
    uint8_t fma, imad, alu, either, xu, fp64, other;
    uint8_t extra;       /* of a branch: BSSY and BSYNC, which let lanes part and meet */
    bool past_l1;        /* an access that L1 may not answer */
    bool of_bulk;        /* of a group of copies: in bulk */
    bool of_cluster;     /* of a barrier: the cluster's */
    float tensor_cycles; /* of the scheduler's tensor core */
    float port_cycles;   /* in which the FMA unit waits, for its operands are being read */
    uint16_t latency_cycles;
};

/* in_kernel: the op is in a kernel, not in a function that is called. */
struct op_cost cost_of(const struct op *op, const struct ptx_instruction *instruction,
                       bool in_kernel, const struct sim_profile *profile);

static inline unsigned cost_issues(const struct op_cost *cost)
{
    unsigned units = cost->fma + cost->imad + cost->alu + cost->either + cost->xu + cost->fp64 +
                     cost->other + cost->extra;
    return units + (cost->kind != COST_ARITHMETIC || cost->tensor_cycles > 0);
}

#endif
