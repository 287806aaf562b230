/* timing.h - how long a launch would take on the device: the parts of the model and their order.
 *
 * While a launch runs, the warps of a few blocks - those that one multiprocessor of the device,
 * drawn by the seed, would get first - are traced (traces.c, trace.c). When it is over,
 *
 *     traffic.c          finds what L1 would miss, and how scattered it is
 *     fetched.c          and which of its requests wait for DRAM
 *     cost.c             says which machine instructions ptxas makes of each op
 *     fuse.c             makes one of several, where ptxas does
 *     module_model.c     keeps what is known of the module's functions and ops
 *     schedule.c         orders those of a basic block, loads first, as ptxas would
 *     places.c           or in the order of the machine code, where that tells it
 *     unroll.c           predicates short branches and unrolls short loops, as ptxas would
 *     cache.c            is the multiprocessor's L1, and its share of L2
 *     hierarchy.c        is L1, L2 and DRAM as queues
 *     units.c            is the schedulers' arithmetic units
 *     multiprocessor.c   runs the traces on its schedulers, units and queues, cycle by cycle
 *     bulk.c             moves what they copy in bulk
 *     barriers.c         has warps wait for each other there
 *     ledger.c           tells each op its part of that
 *     drawn.c            deals work evenly to blocks that draw it
 *     filled.c           fills a multiprocessor of which too few blocks ran
 *     likeness.c         prices blocks that were not traced
 *     shown.c            says how much of the launch all these have seen
 *     rest.c             prices what long warps do after their traces
 *     estimate.c         carries its cycles over to all blocks and the whole device
 *     what_if.c          asks all that once more, with source lines mended (mend.h)
 *
 * Everything here is a model, and every figure that is shown says so. Its constants come from
 * launches that were measured on an H200, and `make fidelity` says how far it is off.
 */
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include "machine_internal.h"

/* --- traces.c, trace.c ----------------------------------------------------------------------- */

/* A trace is a run of 32-bit words. The upper four bits tell what a word is:
 *
 *     ENTER    a basic block (by its id in the module) runs
 *     BARRIER  a barrier was passed; the number counts the block's barriers. NO_BARRIER: no warp
 *              waits at it, in a mended launch (mend.h)
 *     ACCESS   an op (by id) touched memory. Next come a word of enum trace_how and a count (see
 *              trace_pack), and that many lines of 128 bytes, each with a bit for each sector; but
 *              of a word load from shared memory, the passes if it were of 2 and of 4 words
 */
enum { TRACE_ENTER = 1, TRACE_BARRIER, TRACE_ACCESS };
enum { TRACE_TAG_SHIFT = 28, TRACE_VALUE = (1 << TRACE_TAG_SHIFT) - 1 };
enum { MOST_PASSES = 0xFFF };

enum trace_how {
    TRACE_SHARED,
    TRACE_CONSTANT,
    TRACE_LOCAL_READ,
    TRACE_LOCAL_WRITE,
    TRACE_READ,
    TRACE_WRITE,
    TRACE_WRITE_IN_PART,       /* of some sector not all bytes */
    TRACE_WRITE_QUADS_IN_PART, /* likewise, 16 bytes a lane */
    TRACE_HOST_READ,           /* over the bus, of the host's memory */
    TRACE_HOST_WRITE,
    TRACE_REDUCE, /* an atomic whose result is not wanted */
    TRACE_ATOMIC,
    TRACE_ARRIVAL, /* at an mbarrier; instead of lines the number of its phase */
    TRACE_SLEEP,   /* instead of lines the nanoseconds */
    TRACE_PHASE,   /* that of one that is over, as a wait has found */
    TRACE_CLUSTER, /* shared memory of other blocks; passes: sectors */
    TRACE_SPARED,  /* never traced: what a mended line (mend.h) need not read again */
};

static inline bool trace_is_write(enum trace_how how)
{
    return how == TRACE_WRITE || how == TRACE_WRITE_IN_PART || how == TRACE_WRITE_QUADS_IN_PART;
}

/* A load or store of global memory, no atomic. */
static inline bool trace_is_plain(enum trace_how how)
{
    return how == TRACE_READ || how == TRACE_HOST_READ || how == TRACE_HOST_WRITE ||
           trace_is_write(how);
}

/* how, passes (over the banks, or over addresses that many lanes share), lines; between them, how
 * much more often L1 looks for a line, in parts of all lines:
 *
 *     31       24 23          12 11       8 7       0
 *     |   how    |    passes    |  again   |  lines  |
 */
enum { TRACE_LINES = 0xFF, TRACE_AGAIN = 0xF00, TRACE_AGAIN_SHIFT = 8, TRACE_AGAIN_PARTS = 5 };

static inline uint32_t trace_pack(enum trace_how how, uint32_t passes, uint32_t lines)
{
    return (uint32_t)how << 24 | (passes & 0xFFF) << 12 | (lines & TRACE_LINES);
}

/* lookups is lines or more, up to four times as many. */
static inline uint32_t trace_pack_again(uint32_t lookups, uint32_t lines)
{
    return lines ? (lookups - lines) * TRACE_AGAIN_PARTS / lines << TRACE_AGAIN_SHIFT : 0;
}

static inline double trace_lookups(uint32_t packed)
{
    double again = (packed & TRACE_AGAIN) >> TRACE_AGAIN_SHIFT;
    return (packed & TRACE_LINES) * (1 + again / TRACE_AGAIN_PARTS);
}

struct warp_trace {
    uint32_t *words;
    uint32_t count, room;
    struct lane_change { /* from that word on, other lanes run than before */
        uint32_t at;
        lane_mask lanes;
    } * changes;
    uint32_t change_count, change_room;
    uint64_t steps;      /* warp instructions written down */
    uint64_t all_steps;  /* all it took */
    uint64_t most_steps; /* after which it stops */
    bool cut;            /* there was more */
};

enum { MOST_MBARRIERS = 32, NO_BARRIER = TRACE_VALUE };

struct block_trace {
    struct warp_trace *warps;
    uint32_t warp_count;
    uint32_t *barrier_warps; /* by number of barrier: warps that came to it */
    uint32_t barrier_count, barrier_room;
    uint32_t latest[BARRIERS];  /* the number of each barrier's latest use, */
    uint32_t latest_of_cluster; /* and of that of the cluster's */
    struct traced_mbarrier {    /* each of its phases is a barrier with a number, too */
        uint64_t offset;
        uint32_t phase, over; /* that which is under way, and the latest one before */
    } mbarriers[MOST_MBARRIERS];
    uint32_t mbarrier_count;
    uint32_t barriers_together; /* warps that meet at a later one are cut off together */
    bool started;
};

/* The blocks of one launch that are traced: see traces_number. */
struct traces {
    struct block_trace *blocks;
    uint64_t *numbers;        /* of each, if drawn; NULL: the multiprocessor gets i in turn i */
    uint32_t count, resident; /* resident: how many a multiprocessor holds at once */
    bool keeps_registers;     /* no spill costs anything: of a mended launch (mend.h) */
    double atomics_left;      /* of turns at the most wanted line, the part that one still has */
    uint64_t stride, first;   /* multiprocessors, and which of them gets these blocks */
    /* Of all blocks, also untraced ones: warp instructions by multiprocessor, if they are dealt
     * out like cards, and the longest warp. traces_add_up makes them of the workers' tallies. */
    uint64_t *dealt_steps; /* stride of them */
    uint64_t longest_steps, longest_block;
    struct tally *tallies; /* a worker each */
    uint32_t tally_count;
};

/* The same of one worker's blocks. */
struct tally {
    uint64_t *dealt_steps;
    uint64_t longest_steps, longest_block;
    uint8_t *seen; /* by op id, see module_model.h; NULL before the first */
};

/* The number of the block that is traced as number i: one that was drawn, or the one that the
 * multiprocessor gets in that turn, if blocks are dealt out like cards. */
static inline uint64_t traces_number(const struct traces *traces, uint32_t i)
{
    return traces->numbers ? traces->numbers[i] : traces->first + i * traces->stride;
}

/* NULL when memory is exhausted: the launch then runs untraced. */
struct traces *traces_new(const struct launch *launch);
void traces_free(struct traces *traces);
/* When all workers are done: once, before the totals over all blocks are read. */
void traces_add_up(struct traces *traces);

/* Tell the module what all workers have seen of its ops (module_model.h), when they are done. */
void traces_tell_seen(const struct launch *launch);
/* A sampled launch runs the blocks that are traced. False when memory is exhausted. */
bool traces_ask_for(const struct traces *traces, struct asked_blocks *asked);

/* --- estimate.c ------------------------------------------------------------------------------ */

/* Fill in modelled_ns, bound and the modelled bytes of launch->result from its totals and traces.
 * False when memory is exhausted or nothing was traced. */
bool model_time(struct launch *launch);

#endif
