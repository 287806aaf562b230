/* exec_bulk.c - cp.async.bulk: copies of many bytes that one thread asks for, and that finish later
 * (PTX ISA 9.7.9.25.4). Those from tensor maps are not here.
 *
 * Like cp.async (exec_copy.c), a copy is written down when it is issued, and carried out when it is
 * waited for: at the mbarrier that its bytes are counted at, or, when it goes out of shared memory,
 * with the group that its thread has put it in. A copy that no thread has waited for when the block
 * ends goes out all the same, as it mostly would on a device; the check for races reports it. A
 * copy to another block of the cluster is written down there, where its mbarrier is.
 */
#include "access.h"
#include "cluster.h"
#include "opcode.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BULK_ALIGNMENT = 16 };

/* --- Asking ----------------------------------------------------------------------------------- */

/* A lane's value of a source that has 32 or 64 bits. */
static uint64_t source_of(const struct warp *warp, const struct op *op, unsigned slot, int lane)
{
    const struct op_info *info = &block_launch(warp)->function->module->ops[op->id];
    return info->source_bytes[slot] == 8 ? ((uint64_t *)reg(warp, op->src[slot]))[lane]
                                         : ((uint32_t *)reg(warp, op->src[slot]))[lane];
}

static struct bulk_copy what_is_asked(struct warp *warp, const struct op *op, int lane)
{
    struct bulk_copy copy = {
        .op = op, .warp = warp, .lane = lane, .home = warp->block, .mbarrier = NO_MBARRIER};
    copy.to = source_of(warp, op, 0, lane) + (uint64_t)op->offset;
    copy.from = source_of(warp, op, 1, lane) + (uint64_t)(int32_t)op->target;
    copy.bytes = (uint32_t)source_of(warp, op, 2, lane);
    copy.group = warp->bulk_groups[lane];
    return copy;
}

/* The mbarrier at which the bytes are counted. False after a fault. */
static bool find_mbarrier(struct bulk_copy *copy)
{
    const struct op *op = copy->op;
    uint64_t address = source_of(copy->warp, op, 3, copy->lane) + (uint64_t)(int32_t)op->list[0];
    uint64_t offset = address;
    copy->home = cluster_block_at(copy->warp->block, &offset);
    if (!copy->home) {
        cluster_raise_absent(copy->warp, op, copy->lane, address);
        return false;
    }
    copy->mbarrier = (uint32_t)offset;
    return mbarrier_is_made(copy->warp, op, copy->lane, copy->home, offset);
}

/* Do the bytes go to the block whose mbarrier counts them? False after a fault. */
static bool goes_home(const struct bulk_copy *copy)
{
    uint32_t to = cluster_rank_at(copy->warp->block, copy->to);
    if (!copy->warp->block->cluster || to == copy->home->rank)
        return true;
    if (to == SIM_MOST_CLUSTER)
        cluster_raise_absent(copy->warp, copy->op, copy->lane, copy->to);
    else
        fault_raise(copy->warp, copy->op, SIM_FAULT_MBARRIER, copy->lane,
                    "copies in bulk to block %u of its cluster, and its bytes are counted in "
                    "block %u",
                    to, copy->home->rank);
    return false;
}

static bool check_size(struct warp *warp, const struct op *op, int lane, uint32_t bytes)
{
    if (bytes % BULK_ALIGNMENT == 0)
        return true;
    fault_raise(warp, op, SIM_FAULT_MISALIGNED, lane,
                "asks for %u bytes in bulk, which is not a multiple of %d", bytes, BULK_ALIGNMENT);
    return false;
}

static bool write_down(const struct bulk_copy *copy)
{
    struct block *block = copy->home;
    if (block->bulk_count == block->bulk_room) {
        uint32_t room = block->bulk_room ? 2 * block->bulk_room : 8;
        struct bulk_copy *grown = realloc(block->bulk, room * sizeof *grown);
        if (!grown) {
            fault_raise(copy->warp, copy->op, SIM_FAULT_HOST_MEMORY, -1,
                        "has too many copies under way");
            return false;
        }
        block->bulk = grown;
        block->bulk_room = room;
    }
    block->bulk[block->bulk_count++] = *copy;
    return true;
}

static enum space space_to(const struct op *op)
{
    return op->run == bulk_store ? SPACE_GLOBAL : SPACE_SHARED;
}

static enum space space_from(const struct op *op)
{
    return op->run == bulk_load ? SPACE_GLOBAL : SPACE_SHARED;
}

/* One lane asks for one copy. False after a fault. */
static bool ask_one(struct bulk_copy *copy)
{
    struct warp *warp = copy->warp;
    const struct op *op = copy->op;
    struct access read, write;
    struct shape shape;
    bool stays = copy->home == warp->block;
    if (copy->bytes == 0)
        return true;
    if (stays && space_to(op) == SPACE_SHARED && warp->block->cluster)
        copy->to %= CLUSTER_STRIDE;
    if (!access_bulk_begin(&read, &shape, warp, op, copy->lane, ACCESS_LOAD, space_from(op),
                           copy->from, copy->bytes) ||
        !access_bulk_begin(&write, &shape, warp, op, copy->lane, ACCESS_STORE,
                           stays ? space_to(op) : SPACE_CLUSTER, copy->to, copy->bytes) ||
        !access_bulk_tell(&read, &write))
        return false;
    if (copy->mbarrier != NO_MBARRIER && stays)
        observers_phase_arrival(warp, op, copy->mbarrier);
    if (!write_down(copy))
        return false;
    if (!stays) /* threads that wait there must look again */
        block_recheck_waits(copy->home);
    return true;
}

/* The same for each block of a mask, at the same offsets in each. */
static bool ask_each(const struct bulk_copy *asked, uint16_t mask)
{
    struct block *own = asked->warp->block;
    uint32_t size = own->cluster ? own->cluster->size : 1;
    if (!own->cluster) {
        struct bulk_copy copy = *asked;
        return !(mask & 1) || ask_one(&copy);
    }
    for (uint32_t rank = 0; rank < size; rank++) {
        struct bulk_copy copy = *asked;
        copy.home = own->cluster->blocks[rank];
        copy.to = copy.to % CLUSTER_STRIDE + (rank + 1) * CLUSTER_STRIDE;
        if (!(mask >> rank & 1))
            continue;
        if (copy.home->has_ended) {
            cluster_raise_absent(copy.warp, copy.op, copy.lane, copy.to);
            return false;
        }
        if (!mbarrier_is_made(copy.warp, copy.op, copy.lane, copy.home, copy.mbarrier) ||
            !ask_one(&copy))
            return false;
    }
    return true;
}

/* One lane asks. False after a fault. */
static bool ask(struct warp *warp, const struct op *op, int lane)
{
    enum { MASK = 4 }; /* the source that only .multicast::cluster has */
    struct bulk_copy copy = what_is_asked(warp, op, lane);
    if (!check_size(warp, op, lane, copy.bytes) || (op->run != bulk_store && !find_mbarrier(&copy)))
        return false;
    if (op->source_count > MASK)
        return ask_each(&copy, ((uint16_t *)reg(warp, op->src[MASK]))[lane]);
    return (op->run == bulk_store || goes_home(&copy)) && ask_one(&copy);
}

static void ask_all(struct warp *warp, const struct op *op, lane_mask active)
{
    FOR_ACTIVE (lane, active)
        if (!ask(warp, op, lane))
            return;
}

HANDLER(bulk_load)
{
    ask_all(warp, op, active);
}

HANDLER(bulk_store)
{
    ask_all(warp, op, active);
}

/* An H200 copies from shared memory to shared memory only in clusters; a cluster of one block will
 * do. */
HANDLER(bulk_move)
{
    if (block_launch(warp)->is_clustered)
        ask_all(warp, op, active);
    else
        fault_raise(warp, op, SIM_FAULT_NO_CLUSTER, __builtin_ctz(active),
                    "copies in bulk from shared memory to shared memory, and the launch has no "
                    "clusters");
}

/* Of what a lane wants to prefetch, the part that lies in one allocation, 32 sectors at a time. */
static void prefetch_for(struct warp *warp, const struct op *op, uint64_t first, uint32_t bytes)
{
    const struct allocation *in = memory_find(block_launch(warp)->context, first);
    VECTOR uint64_t sector[WARP_LANES];
    uint64_t left = in ? in->address + in->size_bytes - first : 0;
    uint64_t count = ((left < bytes ? left : bytes) + SECTOR_BYTES - 1) / SECTOR_BYTES;
    for (uint64_t done = 0; done < count; done += WARP_LANES) {
        uint64_t lanes = count - done < WARP_LANES ? count - done : WARP_LANES;
        FOR_LANES sector[lane] = first + (done + (uint64_t)lane) * SECTOR_BYTES;
        access_prefetch(warp, op, ALL_LANES >> (WARP_LANES - lanes), sector);
    }
}

HANDLER(bulk_prefetch)
{
    SOURCE(uint32_t, bytes, 1);
    FOR_ACTIVE (lane, active) {
        uint64_t first = source_of(warp, op, 0, lane) + (uint64_t)op->offset;
        if (!check_size(warp, op, lane, bytes[lane]))
            return;
        if (first % BULK_ALIGNMENT) {
            fault_raise(warp, op, SIM_FAULT_MISALIGNED, lane,
                        "prefetches in bulk from 0x%" PRIx64 ", which is not a multiple of %d",
                        first, BULK_ALIGNMENT);
            return;
        }
        prefetch_for(warp, op, first, bytes[lane]);
    }
}

/* --- Carrying out ----------------------------------------------------------------------------- */

static unsigned char *host_of(const struct bulk_copy *copy, enum space space, uint64_t address,
                              const struct block *block)
{
    const struct launch *launch = block_launch(copy->warp);
    return space == SPACE_SHARED ? block->shared + address % CLUSTER_STRIDE
                                 : memory_host(launch->context->machine->memory, address);
}

/* Both blocks of a copy between blocks must exist until it is done. */
static bool has_source(const struct bulk_copy *copy)
{
    const struct block *block = copy->warp->block;
    if (space_from(copy->op) != SPACE_SHARED || !block->has_ended)
        return true;
    fault_raise(copy->warp, copy->op, SIM_FAULT_EXITED_BLOCK, copy->lane,
                "copies %u bytes of shared memory in bulk to another block of its cluster, and its "
                "own block has exited before they are there",
                copy->bytes);
    return false;
}

/* The copy at place i of those under way is done. */
static void finish(struct block *block, uint32_t i)
{
    const struct bulk_copy copy = block->bulk[i];
    const struct op *op = copy.op;
    if (!has_source(&copy))
        return;
    memmove(host_of(&copy, space_to(op), copy.to, copy.home),
            host_of(&copy, space_from(op), copy.from, copy.warp->block), copy.bytes);
    block->bulk_count--;
    memmove(block->bulk + i, block->bulk + i + 1, (block->bulk_count - i) * sizeof *block->bulk);
    observers_bulk_done(&copy);
    if (copy.mbarrier != NO_MBARRIER)
        mbarrier_bytes_come(&copy);
}

void bulk_come_to(struct block *block, uint64_t offset)
{
    for (uint32_t i = 0; i < block->bulk_count && !block->launch->faulted;)
        if (block->bulk[i].mbarrier == offset)
            finish(block, i);
        else
            i++;
}

HANDLER(bulk_commit)
{
    (void)op;
    FOR_ACTIVE (lane, active)
        warp->bulk_groups[lane]++;
}

/* Here data leaves shared memory at the same moment as it arrives: .read does the same as the wait
 * without it, except for the time it takes. */
HANDLER(bulk_wait)
{
    struct block *block = warp->block;
    for (uint32_t i = 0; i < block->bulk_count;) {
        const struct bulk_copy *copy = &block->bulk[i];
        bool is_own = copy->warp == warp && active >> copy->lane & 1;
        if (is_own && copy->mbarrier == NO_MBARRIER &&
            copy->group + (uint64_t)op->offset < warp->bulk_groups[copy->lane])
            finish(block, i);
        else
            i++;
    }
}

void bulk_end(struct block *block)
{
    while (block->bulk_count && !block->launch->faulted) {
        observers_bulk_left(&block->bulk[0]);
        if (block->bulk[0].mbarrier == NO_MBARRIER)
            finish(block, 0);
        else
            memmove(block->bulk, block->bulk + 1, --block->bulk_count * sizeof *block->bulk);
    }
}
