/* warp.h - 32 lanes that step together: a warp, and the splits it parts into.
 *
 * Lanes that disagree about a branch become two splits of the warp, which wait for each other where
 * their paths meet again. split.c says how; exec_*.c what each operation does to the registers.
 */
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include "site.h"

enum split_state {
    SPLIT_RUNS,
    SPLIT_WAITS_FOR_CHILDREN,
    SPLIT_WAITS_FOR_LANES, /* at a warp-wide operation, for the lanes it names */
    SPLIT_WAITS_AT_BARRIER,
    SPLIT_WAITS_FOR_PHASE,   /* at an mbarrier, for any of the block's to end a phase */
    SPLIT_WAITS_FOR_CLUSTER, /* at the cluster's barrier */
    SPLIT_SPINS,             /* for memory to change, or the clock: spin.c */
    SPLIT_FREE,
};

/* Lanes of a warp that walk together. A divergent branch or a call opens children; the parent
 * waits at the place where they meet again. */
struct split {
    enum split_state state;
    lane_mask mask;     /* lanes that walk */
    lane_mask returned; /* of a call's first split: lanes that came back early */
    uint32_t at;        /* basic block to run next; EXIT_BLOCK: the function's end */
    uint32_t join;      /* basic block at which it hands its lanes back */
    uint32_t parent;    /* index, or NO_SPLIT */
    uint32_t children;
    const struct function *function;
    size_t register_base;  /* of its frame, in the warp's register stack */
    uint32_t local_base;   /* bytes a lane */
    lane_mask waits_for;   /* SPLIT_WAITS_FOR_LANES */
    lane_mask gathered;    /* lanes that had come when it was released; some may have left */
    uint32_t barrier;      /* SPLIT_WAITS_AT_BARRIER */
    bool released;         /* what it waited for has come; its op runs again */
    bool ahead;            /* it went on past a join, though others wait for its lanes */
    const struct op *call; /* of a call's first split: what to fetch its results by */
};

enum { NO_SPLIT = UINT32_MAX };

enum warp_status { WARP_READY, WARP_WAITS, WARP_DONE };

/* What a warp's clock says when it issues an arrival: clocks.h. */
struct clock_reading {
    uint32_t seen[MOST_WARPS], now;
    uint32_t far_acquired, far_released;
};

struct copy { /* one cp.async of one warp, or an arrival after it: applied when waited for */
    const struct op *op;
    lane_mask active;
    uint32_t bytes;
    uint32_t shared[WARP_LANES];
    uint64_t global[WARP_LANES];
    uint8_t source_bytes[WARP_LANES];
    struct clock_reading issued; /* of an arrival, with the check for races */
};

enum { NO_MBARRIER = UINT32_MAX };

struct bulk_copy { /* one of one thread: carried out when it is waited for */
    const struct op *op;
    struct warp *warp;
    int lane;
    uint64_t to, from;  /* each in its space */
    struct block *home; /* whose mbarrier it is, and who keeps the copy */
    uint32_t bytes;
    uint32_t mbarrier; /* its offset; or NO_MBARRIER, */
    uint64_t group;    /* and the number of the thread's group that it is in */
};

struct warp {
    /* the current split, unpacked: what handlers touch */
    unsigned char *registers;
    lane_mask idle; /* lanes that do not exist or have exited */
    struct split *split;
    struct block *block;
    struct worker *worker;
    bool again;        /* the op that ran has to wait and will run again */
    bool doubt;        /* a register may hold an undefined value: undefined.h */
    bool watched;      /* one of them is told of every step */
    uint32_t followed; /* by which observers, a bit each: observer.h */
    bool has_waited;   /* for the launch before this one: griddepcontrol.wait */
    bool ran_ahead;    /* lanes that waited at a join went ahead: they meet no more */
    bool may_skip;     /* lanes went ahead of others at a barrier: warp_skip.c */
    lane_mask owed;    /* they went ahead of a join, for a member mask names them */

    uint32_t index; /* in its block */
    enum warp_status status;
    uint64_t steps;      /* warp instructions so far */
    uint64_t changed_at; /* steps when another split had its turn */
    uint64_t joined_at;  /* steps when lanes last came to a join, others still to come */
    uint64_t asked_at;   /* steps at its last atomic or strong load */
    uint64_t turn_end;   /* steps at which others have their turn */
    uint32_t asked;      /* strong loads and compare-and-swaps in this turn */
    uint32_t current;    /* index of split */
    uint32_t *tid[3];    /* x, y, z of each lane */

    struct split *splits;
    uint32_t split_count, split_room;
    unsigned char *register_stack;
    size_t register_stack_bytes;
    unsigned char *local; /* local memory of the 32 lanes, interleaved by words */
    uint32_t local_bytes; /* a lane */

    lane_mask gathered;           /* whose values exchanged has */
    uint64_t (*kept)[WARP_LANES]; /* by split: what was exchanged when it was released */
    uint32_t kept_room;
    lane_mask carry; /* the condition code of add.cc, a bit a lane */

    struct copy *copies; /* cp.async: those that are over, then those under way, oldest first */
    uint32_t copies_over, copy_count, copy_room;
    uint32_t group_count;

    lane_mask cluster_arrived; /* at the cluster's barrier, which is not yet complete; */
    lane_mask cluster_passed;  /* which is, and they have not yet waited for it */

    struct spin **spins;          /* by split: what it waits for when it spins */
    uint32_t spin_room, spinning; /* how many do */
    uint32_t spin_pause, spin_next_pause;

    const struct op *run_end;    /* of the ops that run on without doubt */
    struct undefined *undefined; /* of the initialisation check, or NULL */

    /* Large arrays come last: the start of a block goes through all that comes before them. */
    /* lanes that wait for each other put a value down here, and pick others' up */
    uint64_t exchange[WARP_LANES], exchanged[WARP_LANES];
    uint32_t committed[64];           /* copies of each committed group, oldest first */
    uint64_t bulk_groups[WARP_LANES]; /* of bulk copies: how many each lane has committed, in all
                                       * blocks, since only differences matter */
};

bool warp_init(struct warp *warp, struct block *block, uint32_t index);
void warp_free(struct warp *warp);
/* Make the warp ready to run the kernel from its start, with lanes. */
void warp_start(struct warp *warp, lane_mask lanes);
/* Run until the warp waits, is done, or has taken budget more steps. */
void warp_run(struct warp *warp, uint64_t budget);
/* After a basic block: hand back lanes that have arrived, and find a split that can run. */
void warp_settle(struct warp *warp);
/* Let the splits that wait at a barrier of the block go on. */
void warp_release(struct warp *warp, uint32_t barrier);
lane_mask warp_live(const struct warp *warp);
/* Let splits go on that waited for lanes that have exited meanwhile. */
void warp_release_gathered(struct warp *warp);
/* Raise a fault if lanes wait for some of absent, lanes of their warp that do not come: at a
 * warp-wide operation, or at a barrier other than the one at op (or its copy in an unrolled loop;
 * NULL for none). False if no lanes wait like that. */
bool warp_raise_absent(struct warp *warp, lane_mask absent, const struct op *op);
bool warp_raise_absent_members(struct warp *warp, lane_mask absent);
bool warp_raise_absent_barrier(struct warp *warp, lane_mask absent, const struct op *op);
/* "thread (99,0,0) waits at line 12", of a lane that has not exited. */
void warp_describe_lane(const struct warp *warp, int lane, char *text, size_t size);
/* The first split that waits for others, and its op, for messages; NULL without one. */
const struct split *warp_waiting_split(const struct warp *warp);
const struct op *warp_waiting_op(const struct warp *warp);
/* The split waits at an mbarrier until warp_recheck_waits: then its op runs again, with released
 * set if it has to answer even so. warp_go_ahead lets lanes that wait at a convergence point go on,
 * since the phase may depend on them. Both are false when there is nothing to be done. */
void warp_wait_for_phase(struct warp *warp);
bool warp_recheck_waits(struct warp *warp, bool answer);
bool warp_go_ahead(struct warp *warp);
/* The split waits at the cluster's barrier until warp_recheck_cluster: then its op runs again. */
void warp_wait_for_cluster(struct warp *warp);
void warp_recheck_cluster(struct warp *warp);

/* What handlers may do with the current split. */
/* Count a load or atomic that may be polling; after MOST_ASKED of them, end this warp's turn. */
void warp_asks(struct warp *warp);
enum { MOST_TARGETS = WARP_LANES };
/* lanes[i] of the split go to basic block target[i]; together they are all its lanes. */
void warp_part(struct warp *warp, const struct op *op, uint32_t count, const lane_mask *lanes,
               const uint32_t *target);
void warp_exit(struct warp *warp, lane_mask lanes);
void warp_return(struct warp *warp, lane_mask lanes);
void warp_call(struct warp *warp, const struct op *op, lane_mask lanes,
               const struct function *function);
/* The op, which stands alone in its basic block, runs again: first for some lanes, then for the
 * others. */
void warp_run_apart(struct warp *warp, const struct op *op, lane_mask some, lane_mask others);
/* True when all lanes of members that still run have come here; their values are then in
 * warp->exchanged, and their mask in warp->gathered. Otherwise the split waits, and the op runs
 * again. Lane i's value must be in warp->exchange[i] before the call. */
bool warp_gather(struct warp *warp, const struct op *op, lane_mask active, lane_mask members);
/* The split waits at the block's barrier id, if waits; count threads make it complete (0: all).
 * True when it was released and its op runs again. */
bool warp_barrier(struct warp *warp, const struct op *op, lane_mask active, uint32_t id,
                  uint32_t count, bool waits);

/* --- registers -------------------------------------------------------------------------------- */

static inline void *reg(const struct warp *warp, uint32_t offset)
{
    return warp->registers + offset;
}

static inline lane_mask *predicate(const struct warp *warp, uint32_t offset)
{
    return (lane_mask *)reg(warp, offset);
}

/* May a handler write all 32 lanes? Yes if the lanes it must spare are never looked at. */
static inline bool covers(const struct warp *warp, lane_mask active)
{
    return (active | warp->idle) == ALL_LANES;
}

#endif
