/* cluster.h - blocks of a cluster: they run at the same time, reach each other's shared memory and
 * meet at a barrier of their own (PTX ISA 2.2.1, 9.7.13.4).
 *
 * One worker runs all blocks of a cluster. Their shared memory is one piece, CLUSTER_STRIDE bytes
 * from each rank to the next, and addresses of .shared::cluster are made the same way: the block
 * of rank r starts at (r + 1) * CLUSTER_STRIDE. What is below that is a block's own, at its
 * .shared::cta address. So lanes that reach different blocks make one access, with one base and
 * one shape (site.h), as lanes of any other access do. A launch without clusters has no struct
 * cluster, and pays nothing for any of this. Next: cluster.c, exec_cluster.c.
 */
#ifndef SIM_CLUSTER_H
#define SIM_CLUSTER_H

#include "launch.h"

/* More than the shared memory of any block. */
#define CLUSTER_STRIDE UINT64_C(0x100000)

struct cluster {
    struct worker *worker;
    uint64_t number; /* among the clusters of the grid; x counts first */
    uint32_t size;   /* blocks */
    uint32_t left;   /* that have not ended */
    unsigned char *shared;
    struct block *blocks[SIM_MOST_CLUSTER]; /* by rank; they live as long as the cluster */
};

struct cluster *cluster_new(struct worker *worker);
void cluster_free(struct cluster *cluster);
/* All its blocks start. */
void cluster_start(struct cluster *cluster, uint64_t number);
/* A block has ended, or is given up. True when it was the last of its cluster. */
bool cluster_leave(struct block *block);
/* Where the block with that number of the grid is, and which cluster it is in. */
uint64_t cluster_of(const struct launch *launch, uint64_t number);

/* Is block one of a cluster in which others still run? */
static inline bool cluster_has_others(const struct block *block)
{
    return block->cluster && block->cluster->left > 1;
}

/* --- Addresses -------------------------------------------------------------------------------- */

/* The rank of the block that an address of shared memory is of; SIM_MOST_CLUSTER when it is of none
 * that block can reach. */
uint32_t cluster_rank_at(const struct block *block, uint64_t address);
/* The block that the byte at *address is of, where *address becomes the place in that block's
 * shared memory. NULL when there is none, or it has ended. */
struct block *cluster_block_at(struct block *block, uint64_t *address);
/* What lanes ask of shared memory by such addresses: SPACE_SHARED, and the addresses become the
 * block's own, when none asks for another block's; else SPACE_CLUSTER, all from rank to rank. */
enum space cluster_space(const struct block *block, lane_mask active, uint64_t *address);
/* Does all of an access of SPACE_CLUSTER lie in shared memory of blocks that still run? Fills in
 * where. False after a fault. */
bool cluster_check_access(struct access *access);
/* Tell that lane asks for a block that is not there any more, or never was. */
void cluster_raise_absent(struct warp *warp, const struct op *op, int lane, uint64_t address);

/* --- The barrier ------------------------------------------------------------------------------ */

/* A block alone has the barrier, too: it is a cluster of one. */

/* Threads of block have arrived. */
void cluster_arrived(struct block *block);
/* Threads have ended: they count as arrived. */
void cluster_check_barrier(struct block *block);
/* Does a thread of block wait at it? */
bool cluster_is_waited_for(const struct block *block);
/* " at the cluster's barrier: in block (1,0,0) thread (3,0,0) waits at line 12", of a thread that
 * has not arrived. */
void cluster_describe_missing(struct block *block, char *text, size_t size);

#endif
