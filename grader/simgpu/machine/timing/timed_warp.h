/* timed_warp.h - a warp that is replayed: where it is in its trace, and what it waits for. */
#ifndef SIM_TIMED_WARP_H
#define SIM_TIMED_WARP_H

#include "schedule.h"
#include "timing.h"

enum { MOST_GROUPS = 16 };
enum state { STATE_RUNS, STATE_AT_BARRIER, STATE_DONE };

/* Copies under way, and when the groups of them that are committed are done. */
struct timed_copies {
    double ready, groups[MOST_GROUPS];
    uint32_t by, group_by[MOST_GROUPS]; /* op ids */
    uint32_t group_count;
};

struct timed_warp {
    uint32_t loads; /* so far */
    const struct warp_trace *trace;
    uint32_t at;    /* next word of the trace */
    uint32_t block; /* index of its timed block */
    uint32_t scheduler;
    enum state state;
    const struct function *function;
    const struct schedule *schedule;
    const struct timed_block *basic_block;
    uint32_t basic_index; /* its index in the function */
    uint32_t next;        /* op of the basic block to issue next */
    uint32_t present;     /* of a joined run: a bit for each member that the warp entered */
    uint32_t *access;     /* by number of access: its word in the trace, or 0 */
    uint32_t access_room;
    uint32_t generation;       /* of the barrier it comes to */
    double ready;              /* when the next op's registers are there */
    double issued_at;          /* the latest op */
    uint32_t waits_for;        /* op id: what ready depends on, */
    enum sim_wait why;         /* and how that is called */
    double charged;            /* its cycles so far are in the ledger */
    double *register_ready;    /* by register number */
    uint32_t *register_writer; /* op id */
    uint32_t register_count;
    struct timed_copies copies, bulk;
    double drained;      /* when its latest access is through, */
    uint32_t drained_by; /* which is this op's */
    double left_at;      /* when the warp may leave: loads are through, and stores on their way */
};

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* Make room for that many registers; false without memory. */
bool timed_warp_reserve_registers(struct timed_warp *warp, uint32_t count);
/* Find where in the trace each access of the basic block that starts is; for `turns` runs of the
 * block, one after the other. False without memory. */
bool timed_warp_find_accesses(struct timed_warp *warp, const struct function *function,
                              uint32_t turns);
/* The same for the joined run that starts with basic block index: takes its members from the trace,
 * as far as the warp entered them, and notes which. */
bool timed_warp_find_joined(struct timed_warp *warp, const struct function *function,
                            uint32_t index);
/* Does the trace enter the basic block of that word `turns` times in a row from here? */
bool timed_warp_repeats(const struct timed_warp *warp, uint32_t enter, uint32_t turns);
/* Does basic block index follow the warp's without a branch? */
bool timed_warp_follows(const struct timed_warp *warp, const struct schedule *schedule,
                        uint32_t index);
/* When all registers of the op are ready, and which op brings the last of them. */
double timed_warp_registers_ready(const struct timed_warp *warp, const struct timed_op *op,
                                  uint32_t *writer);
void timed_warp_set_results(struct timed_warp *warp, const struct timed_op *op, double ready,
                            uint32_t writer);
/* One more, which is done at ready; the copies so far are a group. */
void timed_copies_add(struct timed_copies *copies, uint32_t op, double ready);
void timed_copies_commit(struct timed_copies *copies);
/* Free what it owns. */
void timed_warp_end(struct timed_warp *warp);

static inline const struct timed_op *timed_warp_next_op(const struct timed_warp *warp)
{
    return &warp->schedule->ops[warp->basic_block->first + warp->next];
}

#endif
