/* observers.h - what watches the accesses of a launch. Each observer is one file; handlers know of
 * none of them.
 *
 *     sectors.c      global memory: requests, 32-byte sectors, bytes
 *     banks.c        shared memory: wavefronts over the 32 banks
 *     example.c      of each op, the request that is worst off; how far neighbours are apart
 *     footprint.c    which sectors a launch touched at all: what must come from DRAM
 *     contention.c   atomics that want the same address
 *     touches.c      when blocks touched a sample of lines
 *     initialised.c  reads of memory nobody wrote
 *     races.c        accesses of shared memory that no barrier keeps apart
 *     cluster_races.c the same between blocks of a cluster
 *     global_races.c accesses of global memory that nothing orders
 *     early.c        who may begin before the kernel before it has ended, and does not wait for it
 *     sample.c       what the blocks of a sampled launch write
 */
#ifndef SIM_OBSERVERS_H
#define SIM_OBSERVERS_H

#include "machine_internal.h"

void sectors_access(const struct access *access, struct site *site);
void banks_access(const struct access *access, struct site *site);
/* Wavefronts of one access to shared memory. */
uint32_t banks_wavefronts(const struct access *access);

/* Not an observer of its own: sectors.c and banks.c tell it of requests that they have not seen
 * the like of, and how many sectors or wavefronts these take. */
void example_request(const struct access *access, struct site *site, uint32_t count,
                     uint32_t ideal);
/* Add one worker's counters to others' of the same op. */
void example_merge_neighbours(struct sim_access_counters *to,
                              const struct sim_access_counters *from);

void footprint_access(const struct access *access, struct site *site);
void footprint_free(struct launch *launch);
/* What DRAM has to do with all that a launch touched. It moves pieces of 64 bytes; a sector that
 * was written in part, and not read, it must fetch to fill the rest. */
struct footprint_bytes {
    uint64_t read, read_lines;        /* pieces, and lines of 128, with a sector that was read */
    uint64_t written, filled;         /* sectors written; and those only in part */
    uint64_t written_moved, filled_moved; /* pieces with such a sector */
};
struct footprint_bytes footprint_sum(const struct launch *launch);

void contention_access(const struct access *access, struct site *site);
void contention_free(struct launch *launch);
/* For how long the L2 is at work at the most wanted place of atomics, as is to be expected. */
double contention_ns(const struct launch *launch);

void initialised_access(const struct access *access, struct site *site);
/* A lane copies what it reads, all of it in bulk: what is not written there is not written here. */
void initialised_copied(const struct access *read, const struct access *write);

bool initialised_block_init(struct block *block);
void initialised_block_start(struct block *block);
void initialised_block_free(struct block *block);

void races_access(const struct access *access, struct site *site);
bool races_block_init(struct block *block);
void races_block_start(struct block *block);
void races_block_free(struct block *block);
/* True when the whole block met: what was open is decided now. */
bool races_barrier(struct block *block, uint32_t id, const lane_mask *arrived, bool of_all);
void races_arrive(struct warp *warp, uint32_t id);
void races_warp_sync(struct warp *warp, lane_mask lanes);
void races_fence(struct warp *warp, const struct op *op, lane_mask lanes);
void races_release(struct warp *warp, lane_mask lanes);
void races_acquire(struct warp *warp, lane_mask lanes);
void races_cluster_wait(struct warp *warp, lane_mask lanes);
void races_issued(struct warp *warp, struct copy *arrival);
void races_arrived(struct warp *warp, const struct copy *arrival);
void races_copied(struct warp *warp, const struct copy *copy, const struct copy *arrival);
void races_bulk_done(const struct bulk_copy *copy);
void races_bulk_left(const struct bulk_copy *copy);

void early_access(const struct access *access, struct site *site);
/* A barrier is complete. */
void early_barrier(struct block *block, const lane_mask *arrived);
void cluster_races_access(const struct access *access, struct site *site);
bool cluster_races_block_init(struct block *block);
void cluster_races_block_start(struct block *block);
void cluster_races_block_free(struct block *block);
/* The warp hands on what it has seen to its cluster; it takes what others had handed on until now,
 * until the cluster's barrier was complete, or until a phase of the block's mbarriers was over. */
void cluster_races_release(struct warp *warp);
void cluster_races_acquire(struct warp *warp);
void cluster_races_acquire_met(struct warp *warp);
void cluster_races_acquire_phase(struct warp *warp);
void cluster_races_met(struct block *block);
void cluster_races_phase_over(struct block *block);

struct line_pool *line_pool_new(void);
void line_pool_free(struct line_pool *pool);
void global_races_access(const struct access *access, struct site *site);
bool global_races_init(struct launch *launch);
void global_races_free(struct launch *launch);
/* A warp has passed a fence of the grid's scope, and put down what it knows in its block. */
void global_races_fence(struct warp *warp);
/* All blocks have ended. */
void global_races_end(struct launch *launch);

#endif
