/* multiprocessor_internal.h - what multiprocessor.c and barriers.c share: a multiprocessor at
 * work. */
#ifndef SIM_MULTIPROCESSOR_INTERNAL_H
#define SIM_MULTIPROCESSOR_INTERNAL_H

#include "multiprocessor.h"
#include "timed_warp.h"

struct running_block {
    uint32_t first_warp, warp_count, left;
    double left_at;    /* when its latest warp left; see timed_warp.h */
    uint32_t *arrived; /* by generation of a barrier */
    double *latest;
};

struct machine_state {
    const struct launch *launch;
    const struct sim_model *model; /* of the device */
    const struct traces *traces;
    struct hierarchy *hierarchy;
    struct replay *replay;
    struct timed_warp *warps;
    struct running_block *blocks;
    uint32_t block_count, next_block, warp_count;
    uint32_t active_count; /* warps that are not done; those of each scheduler: */
    struct timed_queue {
        uint32_t *active, count;  /* by age; some are done since it was looked at */
        struct timed_warp *first; /* whose op can issue first, and when; NULL: all wait */
        double at;
        bool changed; /* a warp of it, or a unit, since that was found */
    } queues[MOST_SCHEDULERS];
    struct units units;
    double issue_free[MOST_SCHEDULERS];
    uint32_t warps_of[MOST_SCHEDULERS]; /* that are not done */
    double control_free;                /* when the unit for branches is */
    double dispatch_free, block_interval;
    uint64_t ops_done, ops_expected;
    bool is_cut; /* some trace is; see fetched.h for what follows */
    bool failed;
};

/* Charge op with the warp's time from where its account ends until then. */
static inline void multiprocessor_charge(struct machine_state *state, struct timed_warp *warp,
                                         uint32_t op, enum sim_wait why, double until)
{
    if (until <= warp->charged)
        return;
    state->replay->ops[op].waits[why] += until - warp->charged;
    warp->charged = until;
}

/* Find the warp's next op that costs anything, and when its registers are ready. */
void multiprocessor_prepare(struct machine_state *state, struct timed_warp *warp);

/* --- bulk.c ----------------------------------------------------------------------------------- */

/* A warp's threads ask for bulk copies. */
void bulk_copy_in_time(struct machine_state *state, struct timed_warp *warp,
                       const struct timed_op *op, double now);

/* --- barriers.c ------------------------------------------------------------------------------- */

/* The warp waits at the block's barrier from now on; with the last, all go on. */
void barrier_arrive(struct machine_state *state, struct timed_warp *warp, const struct timed_op *op,
                    double now);
/* An arrival at an mbarrier. Copies arrive when they are done. */
void barrier_arrive_at_phase(struct machine_state *state, struct timed_warp *warp,
                             const struct timed_op *op, double now);
/* A bulk copy's bytes come to that phase of an mbarrier, at a time that may lie ahead. */
void barrier_bytes_come(struct machine_state *state, const struct timed_warp *warp, uint32_t phase,
                        double when);
/* A wait at an mbarrier: true when the warp stays there until the phase is over. */
bool barrier_wait_for_phase(struct machine_state *state, struct timed_warp *warp,
                            const struct timed_op *op);
/* Traces that were cut off leave warps at barriers that the others never reach: one is let go. */
void barrier_release_any(struct machine_state *state);

#endif
