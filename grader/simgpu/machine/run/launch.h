/* launch.h - a kernel under way: its workers, each with blocks of its own, and what is counted.
 *
 * grid.c hands blocks to the workers, which write to nothing that others write to; result.c adds up
 * at the end what they have counted.
 */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "block.h"
#include "observer.h"

struct block_counters {
    uint64_t entries, lanes;
};

/* One thread of the wrapper, working for one launch. */
struct worker {
    struct launch *launch;
    uint32_t index;
    const struct watchers *watchers; /* the launch's; NO_WATCHERS in a trial */
    struct block_counters *blocks;   /* by basic block id */
    struct site **sites;             /* by op id, two each (see access.c), made when first used */
    struct site *latest_site;        /* made last */
    uint64_t *guarded_off;           /* by op id: lanes a guard switched off */
    uint64_t *divergent;             /* by op id: branches that split a warp */
    struct block **resident;         /* blocks under way; more than one if they wait for others */
    uint32_t resident_count, resident_room;
    uint64_t next_block, end_block; /* numbers of the blocks it has taken and not yet started */
    struct block *spare;            /* a finished block, to use again */
    struct cluster *spare_cluster;  /* likewise, where blocks form clusters */
    uint64_t random;
    uint64_t steps;               /* warp instructions */
    uint64_t ended_at;            /* the same when a block of its own ended last */
    uint64_t clock_reads;         /* which take time, too: special.c */
    uint64_t skipped_ticks;       /* in which all waited for the clock: spin.c */
    uint64_t host_looked_ns;      /* of the host's clock at the last look; 0: none yet */
    uint32_t host_turns;          /* since then */
    uint64_t *skipped_by;         /* the same by op id that waited; NULL when none has */
    bool clock_stands;            /* reading it takes no time */
    struct spin_scratch *scratch; /* see spin.c */
    uint64_t barriers;            /* passed by warps */
    uint64_t stands_for, ran;     /* blocks; equal unless the launch is sampled */
    struct footprint *footprints; /* see footprint.c */
    struct touches *touches;      /* see touches.h */
    struct site lost;             /* stands in when memory is exhausted */
};

/* Blocks that an observer has to see: where only some run, these do. */
struct asked_blocks {
    uint64_t *numbers;
    uint32_t count, at_once; /* so many of them the device has under way at once */
    bool are_drawn;          /* chance chose them, of those of one multiprocessor at least, */
    bool are_of_grid;        /* or of the whole grid */
};

struct launch {
    struct sim_context *context;
    const struct function *function;
    struct sim_launch_config config;
    unsigned char *parameters;
    uint32_t block_threads, warp_count;
    uint64_t block_count;
    uint32_t cluster[3];     /* blocks of a cluster, 1 along each axis without clusters */
    uint32_t cluster_blocks; /* their product */
    bool is_clustered;       /* a size of clusters was asked for, be it 1 */
    uint32_t shared_bytes;   /* static, dynamic, and reserved at the end */
    uint32_t reserved_bytes; /* zeros at the start, for the toolkit's own headers; mostly 0 */
    uint32_t dynamic_shared; /* where the dynamic part starts */
    /* What workers write all the time is kept apart from what every access reads: otherwise each
     * write would take those lines out of the other workers' caches. */
    _Alignas(64) atomic_uint_fast64_t next_handful; /* of blocks, to be taken */
    atomic_uint_fast64_t steps;                     /* thread instructions, for the budget */
    atomic_uint resident;                           /* blocks under way */
    _Alignas(64) atomic_bool abort;
    pthread_mutex_t lock; /* the fault and the printf buffer */
    atomic_bool faulted;
    struct sim_fault fault;
    struct findings *findings;         /* of a launch that goes on; or NULL */
    struct listeners listeners;        /* observers of its events; */
    struct watchers watchers;          /* of its accesses */
    void *own[MOST_OBSERVERS];         /* what each observer keeps for itself */
    struct contention *contention;     /* see contention.c */
    struct traces *traces;             /* see timing/; NULL when nothing is traced */
    struct fetched *fetched;           /* see timing/fetched.h; NULL when it is not known */
    struct global_races *global_races; /* see global_races.c; NULL when they are not watched */
    struct asked_blocks asked;         /* of a sampled launch; none: count is 0 */
    struct sample *sample;             /* see sample.h; NULL when every block runs */
    uint64_t serial;                   /* of all launches of the machine */
    struct worker *workers;
    uint32_t worker_count;        /* 1 when blocks may wait for each other */
    atomic_uint at_work;          /* workers that have begun and not ended; */
    atomic_bool ended;            /* none is at work, and no block is left */
    uint64_t grid_sync_workspace; /* device address, of a cooperative launch; */
    struct absent *absent;        /* blocks that arrive without running: absent.h; or NULL */
    char *printed;
    size_t printed_bytes, printed_room;
    struct sim_op_counters *ops; /* what result.c folded */
    struct sim_launch_result result;
};

/* Zeros for one worker to write to, in cache lines that hold nothing else: each write of another
 * worker nearby would take them away. NULL when memory is exhausted. The caller frees. */
void *worker_alloc(size_t count, size_t size_bytes);

static inline struct launch *block_launch(const struct warp *warp)
{
    return warp->worker->launch;
}

/* Where the windows of generic addresses begin: sim_arena. */
static inline uint64_t windows_of(const struct warp *warp)
{
    return block_launch(warp)->context->machine->windows;
}

#endif
