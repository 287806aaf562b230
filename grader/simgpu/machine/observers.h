/* observers.h - what watches the accesses of a launch. Each observer is one file; handlers know of
 * none of them.
 *
 *     sectors.c      global memory: requests, 32-byte sectors, bytes
 *     banks.c        shared memory: wavefronts over the 32 banks
 *     footprint.c    which sectors a launch touched at all: what must come from DRAM
 *     initialised.c  reads of memory nobody wrote
 *     races.c        accesses of shared memory that no barrier keeps apart
 */
#ifndef SIM_OBSERVERS_H
#define SIM_OBSERVERS_H

#include "machine_internal.h"

void sectors_access(const struct access *access, struct site *site);
void banks_access(const struct access *access, struct site *site);

void footprint_access(const struct access *access, struct site *site);
void footprint_free(struct launch *launch);
/* Bytes of all sectors read, and written, at least once. */
void footprint_sum(const struct launch *launch, uint64_t *read_bytes, uint64_t *written_bytes);

void initialised_access(const struct access *access, struct site *site);
bool initialised_block_init(struct block *block);
void initialised_block_start(struct block *block);
void initialised_block_free(struct block *block);

void races_access(const struct access *access, struct site *site);
bool races_block_init(struct block *block);
void races_block_start(struct block *block);
void races_block_free(struct block *block);
void races_barrier(struct block *block, const lane_mask *arrived);
void races_warp_sync(struct warp *warp, lane_mask lanes);

#endif
