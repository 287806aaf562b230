/* exec_cluster.c - where a block of a cluster is, and the cluster's barrier (PTX ISA 9.7.8.27,
 * 9.7.8.28, 9.7.13.4). The handlers of loads, stores, atomics and mbarriers reach the shared memory
 * of other blocks themselves, by its addresses (access.c). Next: cluster.c. */
#include "cluster.h"
#include "lanes.h"
#include "opcode.h"

#include <inttypes.h>

/* --- Addresses -------------------------------------------------------------------------------- */

/* A lane's address of shared memory, and what it lies in: 0, or the window of generic ones. */
static uint64_t lane_address(const struct warp *warp, const struct op *op, int lane,
                             uint64_t *start)
{
    *start = 0;
    if (op->src_bytes == 4)
        return ((uint32_t *)reg(warp, op->src[0]))[lane];
    uint64_t address = ((uint64_t *)reg(warp, op->src[0]))[lane];
    *start = op->in_cluster ? 0 : windows_of(warp) + SHARED_WINDOW;
    return address - *start;
}

/* A block alone has its shared memory, which keeps its addresses. */
static uint64_t mapped(const struct block *block, uint64_t address, uint32_t rank)
{
    return block->cluster ? address % CLUSTER_STRIDE + (rank + 1) * CLUSTER_STRIDE : address;
}

HANDLER(mapa)
{
    const uint32_t *rank = reg(warp, op->src[1]);
    uint32_t size = warp->block->cluster ? warp->block->cluster->size : 1;
    VECTOR uint64_t result[WARP_LANES] = {0};
    FOR_ACTIVE (lane, active) {
        uint64_t start, address = lane_address(warp, op, lane, &start);
        if (rank[lane] >= size) {
            fault_raise(warp, op, SIM_FAULT_OUT_OF_BOUNDS, lane,
                        "asks for the shared memory of block %u of its cluster, which has %s",
                        rank[lane], size == 1 ? "one block" : "no such block");
            return;
        }
        if (cluster_rank_at(warp->block, address) == SIM_MOST_CLUSTER) {
            fault_raise(warp, op, SIM_FAULT_OUT_OF_BOUNDS, lane,
                        "asks for the address in another block that corresponds to 0x%" PRIx64
                        ", which is not in shared memory",
                        address + start);
            return;
        }
        result[lane] = start + mapped(warp->block, address, rank[lane]);
    }
    if (op->dst_bytes == 8)
        WRITE_LANES(uint64_t, result[lane]);
    else
        WRITE_LANES(uint32_t, (uint32_t)result[lane]);
}

HANDLER(getctarank)
{
    VECTOR uint32_t rank[WARP_LANES] = {0};
    FOR_ACTIVE (lane, active) {
        uint64_t start;
        rank[lane] = cluster_rank_at(warp->block, lane_address(warp, op, lane, &start));
    }
    WRITE_LANES(uint32_t, rank[lane]);
}

/* --- The barrier ------------------------------------------------------------------------------ */

/* A block alone is a cluster of one: its threads meet in the same way. */
HANDLER(cluster_arrive)
{
    lane_mask twice = (warp->cluster_arrived | warp->cluster_passed) & active;
    if (twice) {
        fault_raise(warp, op, SIM_FAULT_BARRIER, __builtin_ctz(twice),
                    "arrives at the cluster's barrier again, and has not waited for it since "
                    "(barrier.cluster.wait)");
        return;
    }
    warp->cluster_arrived |= active;
    observers_cluster_arrive(warp, op, active);
    cluster_arrived(warp->block);
}

HANDLER(cluster_wait)
{
    lane_mask never = active & ~(warp->cluster_arrived | warp->cluster_passed);
    if (never) {
        fault_raise(warp, op, SIM_FAULT_BARRIER, __builtin_ctz(never),
                    "waits for the cluster's barrier, and has not arrived there "
                    "(barrier.cluster.arrive)");
        return;
    }
    if (active & ~warp->cluster_passed) {
        warp_wait_for_cluster(warp);
        return;
    }
    warp->cluster_passed &= ~active;
    warp->worker->barriers++;
    observers_cluster_wait(warp, active);
}

/* --- Stores that count ------------------------------------------------------------------------ */

/* st.async (PTX ISA 9.7.9.13): the bytes are there at once, and counted at the mbarrier of the same
 * block. A thread that does not wait for that has a race, which the check for races finds. */
static void count_bytes(struct warp *warp, const struct op *op, int lane)
{
    const struct op_info *info = &block_launch(warp)->function->module->ops[op->id];
    uint64_t offset = info->source_bytes[1] == 8 ? ((uint64_t *)reg(warp, op->src[1]))[lane]
                                                 : ((uint32_t *)reg(warp, op->src[1]))[lane];
    offset += (uint64_t)(int32_t)op->target;
    uint64_t address = offset;
    struct block *home = cluster_block_at(warp->block, &offset);
    if (!home)
        cluster_raise_absent(warp, op, lane, address);
    else if (mbarrier_is_made(warp, op, lane, home, offset))
        mbarrier_bytes_stored(home, offset, (uint32_t)op->bytes * op->count);
}

HANDLER(store_async)
{
    store(warp, op, active);
    observers_release(warp, active);
    FOR_ACTIVE (lane, active)
        if (!block_launch(warp)->faulted)
            count_bytes(warp, op, lane);
}
