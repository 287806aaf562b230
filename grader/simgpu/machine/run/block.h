/* block.h - a thread block: its warps, its shared memory, its barriers.
 *
 * block.c gives each warp its turn; a barrier lets them go on when all have come.
 */
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include "observer.h"
#include "warp.h"

struct barrier {
    lane_mask arrived[MOST_WARPS];
    uint32_t expected;    /* threads; 0 for all that still run */
    uint32_t arriving;    /* threads counted without waiting (bar.arrive) */
    bool whole_warps;     /* part of a warp counts when the rest has exited, not before */
    uint32_t ones, votes; /* of a reduction: threads with the predicate, and all */
    uint32_t result_ones, result_votes;
    uint32_t first_op, first_warp; /* id of the op of the first arrival, and whose it was */
};

/* Bytes that the phase under way of an mbarrier still waits for; below 0 when they came before a
 * thread said that it expects them. */
struct transaction {
    uint64_t offset; /* of the mbarrier, in shared memory */
    int64_t bytes;   /* never 0 */
};

/* What the first thread of a block stores to memory, as far as its registers tell. */
struct block_print {
    uint64_t number; /* of the block */
    uint64_t hash;   /* of where: the same for the same places, 0 for none */
    uint64_t lowest; /* of these addresses */
    bool is_known;   /* it came to its end, and stored nothing that is not followed */
};

/* For scout.h: the lanes of a block's first warp are the first threads of several blocks, a block
 * each. */
struct block_lanes {
    uint32_t index[3][WARP_LANES]; /* of each one's block in the grid */
    uint32_t tid[WARP_LANES];      /* all 0 */
    struct block_print *prints;
    bool is_spoilt; /* something was stored that is in no print */
};

struct block {
    struct worker *worker;
    struct launch *launch;
    uint32_t index[3];
    uint64_t number;
    struct block_lanes *lanes; /* NULL: all lanes are of this block */
    struct cluster *cluster;   /* see cluster.h; NULL when blocks form none */
    uint32_t rank;             /* in its cluster */
    bool has_ended;            /* but its cluster has not */
    bool is_met;               /* threads have arrived at the barrier of the cluster of which
                                    * this is the first block */
    unsigned char *shared;
    bool owns_shared; /* else it lies in its cluster's */
    uint32_t shared_bytes;
    struct warp *warps;
    uint32_t warp_count, done_count;
    struct barrier barriers[BARRIERS];
    uint32_t waits_in_vain; /* for a phase, that were answered since one ended */
    struct bulk_copy *bulk; /* under way, oldest first */
    uint32_t bulk_count, bulk_room;
    struct transaction *transactions;
    uint32_t transaction_count, transaction_room;
    uint32_t barriers_met;  /* a bit for each barrier that a thread has arrived at, */
    uint32_t barriers_used; /* and for each that is to be cleared before the next block */
    void *race_shadow;      /* of the race observer, or NULL */
    struct cluster_shadow *cluster_shadow; /* likewise; see cluster_races.c */
    uint64_t *shared_written; /* a bit a byte, of the initialisation observer, or NULL */
    uint32_t shared_unwritten_bytes;
    void *undefined_notes;        /* see undefined_notes.c, or NULL */
    struct sim_fault *held_fault; /* see fault_hold; of kind NONE, or NULL, when there is none */
    uint32_t held_rounds;         /* of turns since */
    bool idle;                    /* in its last turns all waited, some for other blocks */
    void *own[MOST_OBSERVERS];    /* what each observer keeps for itself */
    uint32_t *tids;               /* of all threads: x of all, then y, then z */
};

/* shared: where the block's shared memory lies; NULL to have its own. */
struct block *block_new(struct worker *worker, unsigned char *shared);
void block_free(struct block *block);
void block_start(struct block *block, uint64_t number);
/* Make it that block of the grid, with one of its warps ready: see scout.h. No observer is told. */
void block_place(struct block *block, uint64_t number, uint32_t warp);
/* The same of its first warp, whose lanes are threads of as many blocks. */
void block_place_lanes(struct block *block, struct block_lanes *lanes, uint32_t count);
/* Give each warp a turn. False when the block is done, or the launch has stopped. */
bool block_run(struct block *block);
/* Does a warp of it wait for memory to change, or for the clock? */
bool block_spins(const struct block *block);
/* The fault of a block in which nothing can go on. */
void block_raise_deadlock(struct block *block);
/* To be called when no warp can run. The first lets lanes that wait at a convergence point go ahead
 * of others of their warp, which wait as well; the second answers lanes that wait for the phase of
 * an mbarrier. False when there are no such lanes. */
bool block_go_ahead(struct block *block);
bool block_go_on_in_vain(struct block *block);
void block_check_barriers(struct block *block);
/* Its barrier of that number, at which a warp arrives. */
static inline struct barrier *block_barrier(struct block *block, uint32_t id)
{
    block->barriers_used |= UINT32_C(1) << id % BARRIERS;
    return &block->barriers[id % BARRIERS];
}
/* A phase of an mbarrier is over: lanes that wait for one look again. */
void block_recheck_waits(struct block *block);

/* --- exec_copy.c, exec_mbarrier.c ------------------------------------------------------------- */

/* The copies so far of active lanes arrive at the mbarriers at these offsets when they are done.
 * False after a fault. */
bool copies_arrive_later(struct warp *warp, const struct op *op, lane_mask active,
                         const uint64_t *offset);
/* A lane waits for the mbarrier at offset: finish the copies that are to arrive there. */
void copies_arrive_at(struct block *block, uint64_t offset);
void mbarrier_copies_arrived(struct warp *warp, const struct copy *arrival);
/* May a bulk copy of lane come to a phase of block's mbarrier at offset? False after a fault. */
bool mbarrier_is_made(struct warp *warp, const struct op *op, int lane, struct block *block,
                      uint64_t offset);
/* The bytes of a bulk copy have arrived; likewise those of a store to the block's shared memory. */
void mbarrier_bytes_come(const struct bulk_copy *copy);
void mbarrier_bytes_stored(struct block *block, uint64_t offset, uint32_t bytes);

/* --- exec_bulk.c ------------------------------------------------------------------------------ */

/* A lane waits for the mbarrier at offset: finish the bulk copies that are counted there. */
void bulk_come_to(struct block *block, uint64_t offset);
/* All threads have ended: their bulk stores that were not waited for are carried out, and
 * reported. */
void bulk_end(struct block *block);

/* --- transactions.c --------------------------------------------------------------------------- */

/* How many bytes the current phase of the mbarrier at offset waits for. */
int64_t transactions_of(const struct block *block, uint64_t offset);
/* It waits for more, or fewer. False when memory is exhausted. */
bool transactions_add(struct block *block, uint64_t offset, int64_t bytes);
void transactions_forget(struct block *block, uint64_t offset);

#endif
