/* observers.h - what observers ask of each other, and what a launch's results ask of them.
 * observers.def lists them, observer.h says what they are told; handlers know none of them.
 */
#ifndef SIM_OBSERVERS_H
#define SIM_OBSERVERS_H

#include "machine_internal.h"

/* Wavefronts of one access to shared memory. */
uint32_t banks_wavefronts(const struct access *access);

/* example.c, not an observer of its own: of each op, the request that is worst off, and how far
 * neighbours are apart. sectors.c and banks.c tell it of requests of a new shape, and how many
 * sectors or wavefronts these take. */
void example_request(const struct access *access, struct site *site, uint32_t count,
                     uint32_t ideal);
/* Add one worker's counters to others' of the same op. */
void example_merge_neighbours(struct sim_access_counters *to,
                              const struct sim_access_counters *from);

/* What DRAM has to do for all that a launch touched. It moves pieces of 64 bytes; a sector that was
 * written in part and not read must be fetched, to fill the rest. */
struct footprint_bytes {
    uint64_t read, read_lines; /* pieces, and lines of 128, with a sector that was read */
    uint64_t written, filled;  /* sectors written; and those only in part */
    uint64_t written_moved, filled_moved; /* pieces with such a sector */
    /* Nothing of that is the host's memory. Of it, what requests read and wrote, each time:
     * sectors, and lines in which these lie. */
    uint64_t host_read, host_read_lines, host_written, host_written_lines;
};
struct footprint_bytes footprint_sum(const struct launch *launch);

/* For how long the L2 is at work at the most wanted place of atomics, as is to be expected. */
double contention_ns(const struct launch *launch);

/* The warp hands on what it has seen to its cluster; it takes what others had handed on until now,
 * until the cluster's barrier was complete, or until a phase of the block's mbarriers was over. */
void cluster_races_release(struct warp *warp);
void cluster_races_acquire(struct warp *warp);
void cluster_races_acquire_met(struct warp *warp);
void cluster_races_acquire_phase(struct warp *warp);

struct line_pool *line_pool_new(void);
void line_pool_free(struct line_pool *pool);
/* A warp has passed a fence of the grid's scope, and put down what it knows in its block. */
void global_races_fence(struct warp *warp);

#endif
