/* walk.h - goes through warps of a sampled launch by their registers alone.
 *
 * Registers are computed, memory is left alone (a load gives zeros, unless the memory may hold a
 * table), no barrier is waited at, and nothing is counted. So a warp is gone through quickly, and
 * the launch does not notice. scout.c asks this way which blocks are unlike others, shares.c how
 * much each stores; both have a ledger kept of what is stored.
 */
#ifndef SIM_WALK_H
#define SIM_WALK_H

#include "draws.h"
#include "launch.h"

struct ledger;

/* Repeated memory (sim_repeat) that a load met last: it is as good as data, and is not made. */
struct vast {
    uint64_t low, high;
};

/* What a walk changes of the worker, as it was before. */
struct before {
    const struct watchers *watchers;
    uint64_t steps, clock_reads, *divergent;
};

struct walk {
    struct worker *worker;
    struct block *block;
    uint8_t *roles;        /* by op id: enum role of walk.c */
    struct vast *vast;     /* by op id */
    struct ledger *ledger; /* may be NULL */
    struct before before;
    struct draws draws;
    /* If only a slice of the kernel is gone through (slice.h): its ops, basic block by basic block;
     * where those of each begin, and the end; and which end with a branch that is not in it. */
    uint32_t *ops, *first;
    bool *joins;
    bool adds_up;             /* it is the slice of the stores: their bytes are added up */
    uint64_t stored;          /* bytes of repeated memory, by the slice's stores */
    uint64_t cost, most_cost; /* ops and basic blocks gone through; and at most, or 0 */
    bool is_blind;            /* an op's result is not known: of a load, say, zeros stand for it */
    /* A comparison has been made. May be NULL. */
    void (*compared)(struct walk *walk, struct warp *warp, const struct op *op, lane_mask active);
};

/* worker: of the launch, at any time; walk_end restores it. slice: of the kernel's stores, or NULL
 * for the whole kernel. False without memory; walk_end is to be called all the same. */
bool walk_begin(struct walk *walk, struct worker *worker, struct ledger *ledger, const bool *slice);
/* After walk_begin for the whole kernel: leave out what has no influence on where a warp goes, what
 * it compares and where it stores, in a matrix product nearly all. */
void walk_leave_out_data(struct walk *walk);
void walk_end(struct walk *walk);
/* Go through a warp, for at most so many steps; of a slice, until it goes blind. Has it come to its
 * end? */
bool walk_through(struct walk *walk, uint64_t number, uint32_t index, uint64_t most);
/* The same for the first threads of count blocks, a lane each, which leave prints; false also if
 * one stores what is in no print. */
bool walk_through_lanes(struct walk *walk, struct block_lanes *lanes, uint32_t count,
                        uint64_t most);

/* All blocks, each once, by steps of a number that is coprime to their count. */
struct order {
    uint64_t count, at, step;
};
struct order walk_order(const struct launch *launch);

#endif
