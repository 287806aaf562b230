/* hierarchy.h - what one multiprocessor sees of the memory: its own L1 and shared memory, and its
 * share of L2 and DRAM while all others do the same. Times in cycles. */
#ifndef SIM_HIERARCHY_H
#define SIM_HIERARCHY_H

#include "cache.h"
#include "sector_set.h"
#include "timing.h"

/* Parts that serve one request after the other. */
enum server {
    SERVER_L1,
    SERVER_CONSTANT,
    SERVER_BARRIER,
    SERVER_L2,
    SERVER_DRAM,
    SERVER_CLUSTER,
    SERVER_UP, /* the bus, from the host's memory */
    SERVER_DOWN,
    SERVERS
};

/* The account that accesses are charged to; its sums are over all accesses of its owner. */
struct asker {
    bool shared;            /* it asks for shared memory */
    double latency;         /* until the accesses were through */
    double queued[SERVERS]; /* of that, until each part had done what came before */
    double busy[SERVERS];   /* what each part worked for them */
    double dram_debt;       /* how near its next request to DRAM is; at 1 it comes */
};

/* A line that L2 was asked for by several blocks, and how often. */
struct hot_line {
    uint32_t line, block, blocks, requests; /* block: that asked last; blocks: changes of it */
    uint32_t asked, sectors; /* requests that were noted here, and what they were for */
};

enum { HOT_LINES = 256 };

/* Lines that stores on their way to L2 lie in, the latest ones: what is stored there before L2 has
 * taken them goes with them (pair_coalesce_stores_before; the profiler's l2_write_sectors). */
enum { MERGING_LINES = 16 };
struct merging {
    uint32_t line; /* as traced */
    uint64_t turn; /* of whose stores it is, as hierarchy.turn */
    double until;  /* when L2 has it */
};

struct hierarchy {
    const struct sim_model *model; /* of the device */
    struct asker *asker;           /* of the next access */
    uint32_t block;                /* that asks next */
    uint64_t turn; /* of the warp that asks next: another one after each of its loads */
    struct hot_line hot[HOT_LINES];
    struct merging merging[MERGING_LINES]; /* a ring */
    uint32_t next_merging;
    double queued[SERVERS]; /* of this access: until the part was free */
    struct cache l1;
    double free[SERVERS], busy[SERVERS]; /* when each is free again, and how long it worked */
    double read_free;                    /* when DRAM is free again for reads */
    double room;                         /* of L2 for what is to be written, in cycles of DRAM */
    double l2_bytes_per_cycle, dram_bytes_per_cycle; /* this multiprocessor's share */
    double dram_share;           /* of the requests to L2 for reading, those that go on to DRAM */
    double late, late_again;     /* the same of the next access (fetched.h), of pieces not yet asked
                                  * for here, and of others; negative: not known */
    struct sector_set asked_for; /* of L2, by this multiprocessor; both sectors of a piece */
    struct cache l2;             /* its share of L2; no lines: nothing is lost there */
    struct sector_set stored;    /* by this multiprocessor, in part */
    double again_share, known_again; /* sectors read again that dram_bytes_read has: for each
                                      * fresh one; and those not yet found to be lost */
    double read_again, filled_again; /* sectors that L2 had lost: read, stored in part */
    double held;                     /* until then the warp that asked last issues nothing */
    double dram_bytes_read, dram_bytes_written; /* that DRAM moves for a fresh sector, a written
                                                 * one */
    double cluster_latency, cluster_bytes_per_cycle; /* of other blocks' shared memory */
    double up_bytes_per_cycle, down_bytes_per_cycle, bus_latency; /* of the bus; it is all of the
                                                                   * asker's: see host_ns */
    double behind_writes; /* how long a read waits for written lines if DRAM is never idle, */
    double behind_turns;  /* and for its turns to them if it works half of the time */
    double dram_load, dram_noted;    /* recent share of time that DRAM works; when it was noted */
    double l2_latency, dram_latency; /* means, */
    double spread;                   /* from which lines differ by up to that part, up and down */
    uint32_t fetches;                /* requests for lines so far */
    double first_atomic;             /* when the first one left; 0 before */
};

/* Bytes over the bus, at the rate of whole lines, that take as long as those sectors: each line in
 * which some lie is a request with a head. */
static inline double bus_bytes(const struct sim_model *model, double sectors, double lines)
{
    double head = model->bus_head_bytes;
    return (SECTOR_BYTES * sectors + head * lines) * LINE_BYTES / (LINE_BYTES + head);
}

/* Accesses that were counted, but not traced. */
struct counted {
    double requests, lines, sectors;
    double words;   /* that lanes want, in sectors */
    double from_l2; /* of what is read, the share that L1 cannot have */
};

/* From now on L2 keeps only so many bytes for this multiprocessor. False without memory. */
bool hierarchy_limit_l2(struct hierarchy *hierarchy, double bytes);
void hierarchy_free(struct hierarchy *hierarchy);

/* Model an access that starts now: packed as by trace_pack, but with so many passes; lines as
 * traced. Returns when a warp can use what it loaded, or when what it stored has arrived. */
double hierarchy_access(struct hierarchy *hierarchy, double now, uint32_t packed, uint32_t passes,
                        const uint32_t *lines, bool past_l1);
/* That many instructions, switched off for all lanes, pass through L1. */
void hierarchy_pass(struct hierarchy *hierarchy, double now, uint32_t accesses);
/* A shuffle goes through the crossbar of shared memory. */
double hierarchy_exchange(struct hierarchy *hierarchy, double now);
/* A spilled register of count words is stored or loaded; lines as traced. Returns when the warp can
 * go on: ptxas loads well before the value is wanted. */
double hierarchy_spill(struct hierarchy *hierarchy, double now, bool stores, const uint32_t *lines,
                       uint32_t count);
/* Add to busy how long they keep each part at work, at least. */
void hierarchy_price(const struct hierarchy *hierarchy, enum trace_how how,
                     const struct counted *counted, double busy[SERVERS]);
/* Requests to L2 for the most requested line, of those that at least so many blocks want; one for
 * many sectors counts as several. */
double hierarchy_hottest(const struct hierarchy *hierarchy, uint32_t least_blocks);
/* A warp comes to a barrier; returns when the barrier knows. */
double hierarchy_arrive(struct hierarchy *hierarchy, double now);

#endif
