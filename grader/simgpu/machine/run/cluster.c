/* cluster.c - the blocks of a cluster, their shared memory and their barrier: cluster.h. */
#include "cluster.h"
#include "lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Life ------------------------------------------------------------------------------------- */

static unsigned char *shared_of(const struct cluster *cluster, uint32_t rank)
{
    return cluster->shared + rank * CLUSTER_STRIDE;
}

static bool make_blocks(struct cluster *cluster)
{
    for (uint32_t rank = 0; rank < cluster->size; rank++) {
        struct block *block = block_new(cluster->worker, shared_of(cluster, rank));
        if (!block)
            return false;
        block->cluster = cluster;
        block->rank = rank;
        cluster->blocks[rank] = block;
    }
    return true;
}

struct cluster *cluster_new(struct worker *worker)
{
    struct cluster *cluster = calloc(1, sizeof *cluster);
    if (!cluster)
        return NULL;
    cluster->worker = worker;
    cluster->size = worker->launch->cluster_blocks;
    cluster->shared = aligned_alloc(64, cluster->size * CLUSTER_STRIDE);
    if (cluster->shared && make_blocks(cluster))
        return cluster;
    cluster_free(cluster);
    return NULL;
}

void cluster_free(struct cluster *cluster)
{
    for (uint32_t rank = 0; cluster && rank < cluster->size; rank++)
        block_free(cluster->blocks[rank]);
    if (cluster)
        free(cluster->shared);
    free(cluster);
}

/* The number of the grid's block of that rank. */
static uint64_t number_of(const struct launch *launch, uint64_t cluster, uint32_t rank)
{
    const uint32_t *grid = launch->config.grid, *size = launch->cluster;
    uint64_t across = grid[0] / size[0], down = grid[1] / size[1];
    uint64_t x = cluster % across * size[0] + rank % size[0];
    uint64_t y = cluster / across % down * size[1] + rank / size[0] % size[1];
    uint64_t z = cluster / across / down * size[2] + rank / size[0] / size[1];
    return (z * grid[1] + y) * grid[0] + x;
}

uint64_t cluster_of(const struct launch *launch, uint64_t number)
{
    const uint32_t *grid = launch->config.grid, *size = launch->cluster;
    uint64_t x = number % grid[0] / size[0], y = number / grid[0] % grid[1] / size[1];
    uint64_t z = number / grid[0] / grid[1] / size[2];
    return (z * (grid[1] / size[1]) + y) * (grid[0] / size[0]) + x;
}

void cluster_start(struct cluster *cluster, uint64_t number)
{
    cluster->number = number;
    cluster->left = cluster->size;
    for (uint32_t rank = 0; rank < cluster->size; rank++)
        block_start(cluster->blocks[rank], number_of(cluster->worker->launch, number, rank));
}

bool cluster_leave(struct block *block)
{
    block->has_ended = true;
    return --block->cluster->left == 0;
}

/* --- Addresses -------------------------------------------------------------------------------- */

uint32_t cluster_rank_at(const struct block *block, uint64_t address)
{
    uint64_t step = address / CLUSTER_STRIDE, size = block->cluster ? block->cluster->size : 1;
    if (step == 0)
        return block->rank;
    return step <= size ? (uint32_t)(step - 1) : SIM_MOST_CLUSTER;
}

struct block *cluster_block_at(struct block *block, uint64_t *address)
{
    if (!block->cluster || *address < CLUSTER_STRIDE)
        return block;
    uint32_t rank = cluster_rank_at(block, *address);
    if (rank == SIM_MOST_CLUSTER || block->cluster->blocks[rank]->has_ended)
        return NULL;
    *address %= CLUSTER_STRIDE;
    return block->cluster->blocks[rank];
}

enum space cluster_space(const struct block *block, lane_mask active, uint64_t *address)
{
    uint64_t own = (block->rank + 1) * CLUSTER_STRIDE;
    bool any_other = false;
    FOR_ACTIVE (lane, active)
        any_other |= address[lane] >= CLUSTER_STRIDE && address[lane] - own >= CLUSTER_STRIDE;
    if (!any_other)
        FOR_LANES address[lane] -= address[lane] >= CLUSTER_STRIDE ? own : 0;
    else
        FOR_LANES address[lane] += address[lane] < CLUSTER_STRIDE ? own : 0;
    return any_other ? SPACE_CLUSTER : SPACE_SHARED;
}

static const char *verb(enum access_kind kind)
{
    return kind == ACCESS_LOAD ? "reads" : kind == ACCESS_STORE ? "writes" : "updates";
}

void cluster_raise_absent(struct warp *warp, const struct op *op, int lane, uint64_t address)
{
    const struct cluster *cluster = warp->block->cluster;
    uint32_t rank = cluster_rank_at(warp->block, address);
    if (rank == SIM_MOST_CLUSTER)
        fault_raise(warp, op, SIM_FAULT_OUT_OF_BOUNDS, lane,
                    "asks for shared memory of its cluster at 0x%" PRIx64 ", which none of its "
                    "%u blocks has",
                    address, cluster ? cluster->size : 1);
    else
        fault_raise(warp, op, SIM_FAULT_EXITED_BLOCK, lane,
                    "asks for the shared memory of block %u of its cluster, which has exited",
                    rank);
}

static bool out_of_bounds(const struct access *access, int lane, uint64_t offset, uint32_t rank)
{
    uint32_t room = access->warp->block->shared_bytes;
    fault_raise(access->warp, access->op, SIM_FAULT_OUT_OF_BOUNDS, lane,
                "%s %u bytes at offset %" PRIu64 " of the shared memory of block %u of its "
                "cluster, which has %u bytes",
                verb(access->kind), access->bytes, offset, rank, room);
    return false;
}

bool cluster_check_access(struct access *access)
{
    struct block *block = access->warp->block;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane], offset = address;
        if (!cluster_block_at(block, &offset)) {
            cluster_raise_absent(access->warp, access->op, lane, address);
            return false;
        }
        if (offset + access->bytes > block->shared_bytes)
            return out_of_bounds(access, lane, offset, cluster_rank_at(block, address));
    }
    access->host = block->cluster->shared + (access->base - CLUSTER_STRIDE);
    return true;
}

/* --- The barrier ------------------------------------------------------------------------------ */

/* Lanes of the warp that are still to come; threads that have ended count as arrived. */
static lane_mask missing_of(const struct warp *warp)
{
    return warp->status == WARP_DONE ? 0 : warp_live(warp) & ~warp->cluster_arrived;
}

/* The blocks that meet at the barrier: block's cluster, or block alone. */
static uint32_t size_of(const struct block *block)
{
    return block->cluster ? block->cluster->size : 1;
}

static struct block *member(struct block *block, uint32_t rank)
{
    return block->cluster ? block->cluster->blocks[rank] : block;
}

static const struct warp *missing_warp(struct block *block)
{
    for (uint32_t rank = 0; rank < size_of(block); rank++) {
        const struct block *peer = member(block, rank);
        for (uint32_t i = 0; !peer->has_ended && i < peer->warp_count; i++)
            if (missing_of(&peer->warps[i]))
                return &peer->warps[i];
    }
    return NULL;
}

static void pass(struct block *block)
{
    observers_cluster_met(block);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[i];
        warp->cluster_passed |= warp->cluster_arrived;
        warp->cluster_arrived = 0;
        warp_recheck_cluster(warp);
    }
}

void cluster_check_barrier(struct block *block)
{
    if (!member(block, 0)->is_met || missing_warp(block))
        return;
    member(block, 0)->is_met = false;
    for (uint32_t rank = 0; rank < size_of(block); rank++)
        if (!member(block, rank)->has_ended)
            pass(member(block, rank));
}

void cluster_arrived(struct block *block)
{
    member(block, 0)->is_met = true;
    cluster_check_barrier(block);
}

bool cluster_is_waited_for(const struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        for (uint32_t j = 0; j < block->warps[i].split_count; j++)
            if (block->warps[i].splits[j].state == SPLIT_WAITS_FOR_CLUSTER)
                return true;
    return false;
}

void cluster_describe_missing(struct block *block, char *text, size_t size)
{
    const struct warp *warp = missing_warp(block);
    char where[80];
    if (!warp)
        return;
    const uint32_t *at = warp->block->index;
    warp_describe_lane(warp, __builtin_ctz(missing_of(warp)), where, sizeof where);
    snprintf(text, size, " at the cluster's barrier: in block (%u,%u,%u) %s", at[0], at[1], at[2],
             where);
}
